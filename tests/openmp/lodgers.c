/* lodgers.c — a thread that waits at the end of its region may carry a member of another thread's
 * region meanwhile. When it goes its way again, for as long as it likes, that member must still
 * come to its end, although everybody else is asleep. */
#define _GNU_SOURCE
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { rounds = 8, ms = 1000, wide = 16 };

/* The number of the round that has come so far. */
static atomic_int waits, goes_on, has_begun, met;
static pid_t host;
static int results[2];

/* Running a team of this size once makes all workers. */
static void make_all(void)
{
#pragma omp parallel num_threads(wide)
    usleep(ms);
}

static void await(const atomic_int* what, int round)
{
    while (*what < round)
        usleep(ms);
}

/* The first to come: workers that are woken are looked for from the waker's on, so the waker, which
 * comes last, finds this one first. */
static void* be_host(void* unused)
{
    make_all();
    host = gettid();
    waits = 1;
    for (int round = 1; round <= rounds; ++round) {
        char c = 0;
        await(&goes_on, round);
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) {
            has_begun = round;
            await(&met, round);
        }
        CHECK(read(results[0], &c, 1) == 1 && c == 'x');
    }
    return unused;
}

static void* make_lodgers(void* unused)
{
    int lodgers = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int round = 1; round <= rounds; ++round) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
#pragma omp barrier
            goes_on = round;
            await(&has_begun, round);
            usleep(20 * ms); /* the host sleeps */
            omp_unset_lock(&lock);
            await(&met, round);
        } else {
#pragma omp barrier
            omp_set_lock(&lock);
            const int here = gettid() == host;
            met = round;
            if (here) {
                ++lodgers;
                usleep(100 * ms); /* the others have gone to sleep */
                sched_yield();    /* the host may go */
            }
            omp_unset_lock(&lock);
        }
        CHECK(write(results[1], "x", 1) == 1);
    }
    omp_destroy_lock(&lock);
    if (getenv("UNDER_ARTEL") != NULL)
        fprintf(stderr, "%d lodgers in %d rounds\n", lodgers, rounds);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    CHECK(pipe(results) == 0);
    pthread_create(&threads[0], NULL, be_host, NULL);
    await(&waits, 1);
    make_all();
    pthread_create(&threads[1], NULL, make_lodgers, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    return finish("lodgers");
}
