/* The process ends inside of a region, by each of its members in turn, while the others go on; what
 * is called at the end opens a region, too. And members that only yield let a region of another
 * member's begin. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <omp.h>

extern char** environ;

static void at_the_end(void)
{
    int n = 0;
#pragma omp parallel num_threads(4) reduction(+ : n)
    {
#pragma omp taskyield
        n++;
    }
    puts(n > 0 ? "a region at the end" : "none");
}

static void yield_until(const int* set)
{
    int now;
    do {
#pragma omp taskyield
#pragma omp atomic read
        now = *set;
    } while (!now);
}

static void end_by(int member)
{
    int never = 0;
    atexit(at_the_end);
#pragma omp parallel num_threads(3)
    {
#pragma omp taskyield
        if (omp_get_thread_num() == member % omp_get_num_threads()) {
            exit(40 + member);
        }
        yield_until(&never);
    }
}

static void begin_beside_yielding_ones(void)
{
    int set = 0, inner = 0;
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(3) reduction(| : inner)
            inner |= 1;
#pragma omp atomic write
            set = 1;
        } else {
            yield_until(&set);
        }
    }
    printf("began: %d\n", inner);
}

int main(int count, char** arguments)
{
    int member;
    if (count > 1) {
        end_by(atoi(arguments[1]));
        return 1;
    }
    begin_beside_yielding_ones();
    fflush(stdout);
    for (member = 0; member < 3; member++) {
        char number[2] = {(char)('0' + member), 0};
        char* of_child[] = {arguments[0], number, NULL};
        pid_t child;
        int status;
        if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, of_child, environ) != 0 ||
            waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
            return 1;
        }
        printf("%d\n", WEXITSTATUS(status));
        fflush(stdout);
    }
    return 0;
}
