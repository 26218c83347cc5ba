/* Fork and join in the manner of the runtime that it is compiled for: WITH_OPENMP (untied tasks),
 * WITH_QTHREADS (a shepherd for each thread), WITH_ARGOBOTS (streams that run what is youngest in
 * their own pools and steal what is oldest in others'), or none of them (plain calls). */
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(WITH_QTHREADS) || defined(WITH_ARGOBOTS)
static void call(void* f)
{
    (*(void (**)(void))f)();
}
#endif

#if defined(WITH_QTHREADS)

#include <qthread/qthread.h>

static void check(int answer)
{
    if (answer != QTHREAD_SUCCESS) {
        fprintf(stderr, "Qthreads answered %d\n", answer);
        exit(2);
    }
}

static aligned_t run_job(void* job)
{
    struct job* const j = job;
    j->run(j->argument);
    return 0;
}

void spawn(struct job* j)
{
    check(qthread_fork(run_job, j, (aligned_t*)&j->handle));
}

void wait_for(struct job* jobs, int count)
{
    for (int i = count - 1; i >= 0; --i) {
        qthread_readFF(NULL, (aligned_t*)&jobs[i].handle);
    }
}

/* Bound or not as QT_AFFINITY says. */
void with_threads(int threads, void (*f)(void))
{
    char number[16];
    snprintf(number, sizeof number, "%d", threads);
    setenv("QT_NUM_SHEPHERDS", number, 1);
    setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1);
    check(qthread_initialize());
    struct job all = {.run = call, .argument = &f};
    spawn(&all);
    wait_for(&all, 1);
}

#elif defined(WITH_ARGOBOTS)

#include <abt.h>

static void check(int answer)
{
    if (answer != ABT_SUCCESS) {
        fprintf(stderr, "Argobots answered %d\n", answer);
        exit(2);
    }
}

void spawn(struct job* j)
{
    ABT_pool pool;
    check(ABT_self_get_last_pool(&pool));
    check(ABT_thread_create(pool, j->run, j->argument, ABT_THREAD_ATTR_NULL,
                            (ABT_thread*)&j->handle));
}

void wait_for(struct job* jobs, int count)
{
    for (int i = count - 1; i >= 0; --i) {
        check(ABT_thread_free((ABT_thread*)&jobs[i].handle));
    }
}

void with_threads(int threads, void (*f)(void))
{
    const size_t n = (size_t)threads;
    ABT_pool* const pools = malloc(n * sizeof *pools);
    ABT_pool* const order = malloc((n + 1) * sizeof *order);
    ABT_xstream* const streams = malloc(n * sizeof *streams);
    check(ABT_init(0, NULL));
    for (size_t i = 0; i < n; ++i) {
        check(ABT_pool_create_basic(ABT_POOL_RANDWS, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &pools[i]));
    }
    for (size_t i = 0; i < n; ++i) {
        ABT_sched sched;
        for (size_t k = 0; k < n; ++k) {
            order[k + 1] = pools[(i + k) % n];
        }
        if (i == 0) {
            /* The caller must stay on its own stream, so it waits in a pool that no other stream
             * has. */
            check(
                ABT_pool_create_basic(ABT_POOL_RANDWS, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &order[0]));
            check(ABT_sched_create_basic(ABT_SCHED_RANDWS, threads + 1, order,
                                         ABT_SCHED_CONFIG_NULL, &sched));
            check(ABT_self_get_xstream(&streams[0]));
            check(ABT_xstream_set_main_sched(streams[0], sched));
        } else {
            check(ABT_sched_create_basic(ABT_SCHED_RANDWS, threads, order + 1,
                                         ABT_SCHED_CONFIG_NULL, &sched));
            check(ABT_xstream_create(sched, &streams[i]));
        }
    }
    ABT_thread all;
    check(ABT_thread_create(pools[0], call, &f, ABT_THREAD_ATTR_NULL, &all));
    check(ABT_thread_free(&all));
    for (size_t i = 1; i < n; ++i) {
        check(ABT_xstream_free(&streams[i]));
    }
    check(ABT_finalize());
    free(pools);
    free(order);
    free(streams);
}

#elif defined(WITH_OPENMP)

void spawn(struct job* j)
{
#pragma omp task untied firstprivate(j)
    j->run(j->argument);
}

void wait_for(struct job* jobs, int count)
{
    (void)jobs;
    (void)count;
#pragma omp taskwait
}

void with_threads(int threads, void (*f)(void))
{
#pragma omp parallel num_threads(threads)
#pragma omp single
    f();
}

#else

void spawn(struct job* j)
{
    j->run(j->argument);
}

void wait_for(struct job* jobs, int count)
{
    (void)jobs;
    (void)count;
}

void with_threads(int threads, void (*f)(void))
{
    (void)threads;
    f();
}

#endif
