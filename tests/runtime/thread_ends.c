// A thread that ends in the middle of a region: `thread_ends WHAT HOW`, WHAT one of caller, member,
// task, nested, HOW one of exit, cancel. Says "went on" when the process survives it.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int by_cancellation;

static void end_here(void)
{
    if (by_cancellation) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
    pthread_exit(NULL);
}

static void* work(void* argument)
{
    const char* what = argument;
    if (!strcmp(what, "task")) {
#pragma omp parallel num_threads(2)
#pragma omp single
        for (int i = 0; i < 4; ++i) {
#pragma omp task
            end_here();
        }
    } else if (!strcmp(what, "nested")) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1)
            end_here();
    } else {
        const int who = !strcmp(what, "caller") ? 0 : 1;
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == who)
            end_here();
    }
    return NULL;
}

int main(int argc, char** argv)
{
    (void)argc;
    by_cancellation = !strcmp(argv[2], "cancel");
    omp_set_max_active_levels(2);
    pthread_t thread;
    pthread_create(&thread, NULL, work, argv[1]);
    pthread_join(thread, NULL);
    puts("went on");
    return 0;
}
