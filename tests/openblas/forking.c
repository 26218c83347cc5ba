/* A library whose constructor takes some time, and then forks. */
#include <sys/wait.h>
#include <unistd.h>

__attribute__((constructor)) static void start(void)
{
    usleep(300000);
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}
