/* omp_get_num_procs counts the CPUs on which the calling thread may run, also when the program has
   changed them. */
#define _GNU_SOURCE
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>

static int allowed(void)
{
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    return CPU_COUNT(&set);
}

static void narrow(void)
{
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    int first = 0;
    while (!CPU_ISSET(first, &set))
        first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
}

static void* bound(void* unused)
{
    const int before = allowed();
    CHECK(omp_get_num_procs() == before);
    narrow();
    CHECK(omp_get_num_procs() == 1);
    return unused;
}

int main(void)
{
    const int before = allowed();
    CHECK(omp_get_num_procs() == before);
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    CHECK(threads == omp_get_max_threads());
    CHECK(omp_get_num_procs() == before);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, bound, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK(omp_get_num_procs() == before); /* the other thread bound only itself */
    narrow();
    CHECK(omp_get_num_procs() == 1);
    return finish("narrowed");
}
