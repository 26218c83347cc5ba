/* left_members.c — the initial thread waits in its region for something that does not need all of
   its siblings: for tasks, or in a region inside. Siblings that wait by a condition variable, which
   keeps their carrier, for what it does next must have been left to others. */
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

enum { rounds = 12, ms = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int said;
static atomic_int begun, waiting, woken;

static void begin(void)
{
    begun = waiting = woken = said = 0;
}

static void await_begin(void)
{
    while (!begun)
        usleep(ms / 10);
}

/* What another thread does while the initial one waits. */
static void keep_waiting(int siblings)
{
    begun = 1;
    while (waiting < siblings)
        usleep(ms);
    usleep(2 * ms);
}

static void say(void)
{
    pthread_mutex_lock(&lock);
    said = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void await_word(void)
{
    await_begin();
    pthread_mutex_lock(&lock);
    ++waiting;
    while (!said)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    ++woken;
}

/* Member 1 is in the barrier, and runs the task. */
static void in_taskwait(int threads)
{
    begin();
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
#pragma omp task
        keep_waiting(threads - 2);
        await_begin();
#pragma omp taskwait
        say();
    } else if (omp_get_thread_num() > 1) {
        await_word();
    }
    CHECK(woken == threads - 2);
}

static void in_taskgroup(int threads)
{
    begin();
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
        {
#pragma omp task
            keep_waiting(threads - 2);
            await_begin();
        }
        say();
    } else if (omp_get_thread_num() > 1) {
        await_word();
    }
    CHECK(woken == threads - 2);
}

static void for_predecessor(int threads)
{
    static int x;
    begin();
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : x)
        keep_waiting(threads - 2);
        await_begin();
#pragma omp taskwait depend(in : x)
        say();
    } else if (omp_get_thread_num() > 1) {
        await_word();
    }
    CHECK(woken == threads - 2);
}

static void in_inner_region(int threads, int at_barrier)
{
    begin();
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(3)
        {
            if (omp_get_thread_num() == 1)
                keep_waiting(threads - 1);
            await_begin();
            if (at_barrier) {
#pragma omp barrier
                if (omp_get_thread_num() == 0)
                    say();
            }
        }
        say();
    } else {
        await_word();
    }
    CHECK(woken == threads - 1);
}

int main(void)
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < rounds; ++round) {
        const int threads = 3 + round % 4;
        in_taskwait(threads);
        in_taskgroup(threads);
        for_predecessor(threads);
        in_inner_region(threads, round / 4 % 2);
    }
    return finish("left_members");
}
