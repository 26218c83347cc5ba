/* Children of forks, in the tests of several interfaces. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether there is such a child, and it ends with status 0. Waits for its end. */
static inline bool ended_well(pid_t child)
{
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Forks; whether the child could do `use` ten times. One that hangs is ended after 30 s. */
static inline bool a_child_can(void (*use)(void))
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        for (int n = 0; n < 10; ++n) {
            use();
        }
        _exit(0);
    }
    return ended_well(child);
}
