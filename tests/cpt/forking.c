/* fork() before, between and behind regions, from the first thread and from another one, and in a
 * region: what parent and child have of regions. Prints what is wrong. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int mine = 5;
#pragma omp threadprivate(mine)

/* How many members a region for four has; 0: it went wrong. */
static int region(void)
{
    int sum = 0, tasks = 0, n = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        mine += omp_get_thread_num();
#pragma omp barrier
        sum += omp_get_thread_num() + 1;
#pragma omp single
        {
            n = omp_get_num_threads();
            for (int i = 0; i < 20; ++i) {
#pragma omp task shared(tasks)
#pragma omp atomic
                ++tasks;
            }
        }
    }
    return sum == n * (n + 1) / 2 && tasks == 20 ? n : 0;
}

static int failures;

static void check(const char* where, int good)
{
    if (!good) {
        printf("%s: wrong\n", where);
#pragma omp atomic
        ++failures;
    }
}

static void in_child(const char* where, int least)
{
    int status = -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(region() >= least && region() >= least ? 0 : 3);
    }
    waitpid(child, &status, 0);
    check(where, WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void* other(void* unused)
{
    (void)unused;
    check("in another thread", region() == 4);
    /* The first thread has used the runtime's library, too; some cannot be ended then. */
    in_child("another thread's child", 1);
    check("in another thread, later", region() == 4);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int status = -1;
    in_child("before any region", 4);
    check("the first region", region() == 4);
    for (int i = 0; i < 3; ++i) {
        in_child("after a region", 4);
        check("after a child", region() == 4);
    }
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    in_child("after a thread", 4);
    fflush(stdout);
    if (fork() == 0) {
        alarm(100);
        check("in the child", region() == 4);
        in_child("a grandchild", 4);
        fflush(stdout);
        _exit(failures != 0);
    }
    wait(&status);
    check("the child with a child", WIFEXITED(status) && WEXITSTATUS(status) == 0);
    /* A child of a member may have to do with one thread. */
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        in_child("a member's child", 1);
    }
    check("at the end", region() == 4);
    return failures != 0;
}
