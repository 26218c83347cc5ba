/* forking.c — children of forks while other threads come and go: what those were about to change is whole in the child. */
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>

static int stop;

static void* one_region(void* argument)
{
    int* const sum = argument;
#pragma omp parallel num_threads(1)
    {
#pragma omp atomic
        ++*sum;
    }
    return NULL;
}

/* Threads that live for one region: each takes a number and gives it back. */
static void* come_and_go(void* argument)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        int sum = 0;
        pthread_t thread;
        pthread_create(&thread, NULL, one_region, &sum);
        pthread_join(thread, NULL);
        CHECK(sum == 1);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, come_and_go, NULL);
    for (int i = 0; i < 300; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            int sum = 0;
            pthread_t thread;
            pthread_create(&thread, NULL, one_region, &sum);
            pthread_join(thread, NULL);
            _exit(sum != 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return finish("forking");
}
