/* An OS thread outside of all regions makes a detached task and comes to its end: the task is a
   child of its implicit task, so the thread's end waits until the event is fulfilled, by another
   thread. The next threads do the same again. */
#define _GNU_SOURCE
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <time.h>

static omp_event_handle_t event;
static int told;

static void* make(void* unused)
{
    (void)unused;
    omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine)
    {
        event = mine;
        __atomic_store_n(&told, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void nap(long milliseconds)
{
    const struct timespec pause = {0, milliseconds * 1000000};
    nanosleep(&pause, NULL);
}

int main(void)
{
    for (int round = 0; round < 3; round++) {
        pthread_t thread;
        __atomic_store_n(&told, 0, __ATOMIC_RELAXED);
        CHECK(pthread_create(&thread, NULL, make, NULL) == 0);
        while (__atomic_load_n(&told, __ATOMIC_ACQUIRE) == 0)
            nap(1);
        /* Where it does not wait it is gone by now, and so is what the task belongs to. */
        nap(200);
        const int ended = pthread_tryjoin_np(thread, NULL) == 0;
        CHECK(!ended);
        if (ended)
            break;
        omp_fulfill_event(event);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    return finish("departing");
}
