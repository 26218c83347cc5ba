/* Cancellation; run with OMP_CANCELLATION=true. */
#include "check.h"

#include <omp.h>
#include <time.h>

static void nap(void)
{
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
}

/* A member cancels the region while another one executes a single, and a third one waits for its
   value (copyprivate): that one must continue once the value is there, and not before. Under
   libgomp it may hang. */
static void wait_for_a_value(void)
{
    static int inside, cancels, beyond;
    inside = cancels = beyond = 0;
    int early = 0, wrong = 0;
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2) {
            while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE))
                nap();
            nap(); /* usually the third one waits by now; it may also come later */
            __atomic_store_n(&cancels, 1, __ATOMIC_RELEASE);
#pragma omp cancel parallel
        }
        int value = 0;
#pragma omp single copyprivate(value)
        {
            __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
            while (!__atomic_load_n(&cancels, __ATOMIC_ACQUIRE))
                nap();
            for (int i = 0; i < 100 && !__atomic_load_n(&beyond, __ATOMIC_ACQUIRE); i++)
                nap();
            early += __atomic_load_n(&beyond, __ATOMIC_ACQUIRE);
            value = 42;
        }
        __atomic_add_fetch(&beyond, 1, __ATOMIC_RELEASE);
        if (value != 42)
            __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    }
    CHECK(early == 0);
    CHECK(wrong == 0);
}

/* A member cancels the region before it has met any of its loops, and the others, which come to no
   cancellation point, meet more of them than the runtime keeps at a time: nobody may wait for the
   member that has left (libgomp does not wait either). */
static void many_loops_without_who_has_left(void)
{
    const int loops = 100, iterations = 3;
    int executed = 0, members = 0;
#pragma omp parallel
    {
#pragma omp master
        members = omp_get_num_threads();
        if (omp_get_thread_num() == omp_get_num_threads() / 2) {
#pragma omp cancel parallel
        }
        for (int k = 0; k < loops; k++) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < iterations; i++)
                __atomic_add_fetch(&executed, 1, __ATOMIC_RELAXED);
        }
    }
    CHECK(executed == (members > 1 ? loops * iterations : 0));
}

/* A task whose event only its body would have fulfilled, which is not called. */
static void discard_a_detached_task(void)
{
    int called = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
    {
        omp_event_handle_t event;
        int x = 0;
#pragma omp task depend(out : x) shared(x)
        {
            nap();
#pragma omp cancel taskgroup
        }
#pragma omp task detach(event) depend(in : x) shared(x, called)
        {
            called = 1;
            omp_fulfill_event(event);
        }
    }
    CHECK(called == 0);
}

/* A loop without a wait at its end keeps its iterations when a member that is ahead has cancelled
   the next one. */
static void cancel_the_next_loop(void)
{
    omp_sched_t usual;
    int usual_chunk;
    omp_get_schedule(&usual, &usual_chunk);
    omp_set_schedule(omp_sched_static, 0); /* each member has iterations of its own */
    for (int round = 0; round < 20; round++) {
        int done[64] = {0};
        int cancels = 0;
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 1) {
                for (int wait = 0; wait < 1000 && !__atomic_load_n(&cancels, __ATOMIC_ACQUIRE);
                     wait++)
                    usleep(100);
                usleep(1000);
            }
#pragma omp for schedule(runtime) nowait
            for (int i = 0; i < 64; i++)
                done[i]++;
#pragma omp for
            for (int i = 0; i < 64; i++) {
                if (i == 0) {
                    __atomic_store_n(&cancels, 1, __ATOMIC_RELEASE);
#pragma omp cancel for
                }
            }
        }
        int wrong = 0;
        for (int i = 0; i < 64; i++)
            wrong += done[i] != 1;
        CHECK(wrong == 0);
    }
    omp_set_schedule(usual, usual_chunk);
}

int main(void)
{
    discard_a_detached_task();
    cancel_the_next_loop();
    for (int round = 0; round < 5 && getenv("UNDER_ARTEL") != NULL; round++) {
        wait_for_a_value();
        many_loops_without_who_has_left();
    }
    CHECK(omp_get_cancellation() == 1);
    for (int round = 0; round < 50; round++) {
        long executed = 0;
#pragma omp parallel
        {
#pragma omp for schedule(dynamic) reduction(+ : executed)
            for (int i = 0; i < 100000; i++) {
                executed++;
                if (i == 50) {
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
            /* The next loop is not affected. */
#pragma omp for schedule(static) reduction(+ : executed)
            for (int i = 0; i < 100; i++) {
                executed++;
#pragma omp cancellation point for
            }
        }
        CHECK(executed >= 100 && executed < 100100);

        int sections = 0;
#pragma omp parallel
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                sections++;
#pragma omp cancel sections
            }
#pragma omp section
#pragma omp atomic
            sections++;
#pragma omp section
#pragma omp atomic
            sections++;
        }
        CHECK(sections >= 1 && sections <= 3);

        int beyond = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == omp_get_num_threads() / 2) {
#pragma omp cancel parallel
            }
#pragma omp barrier
#pragma omp cancellation point parallel
#pragma omp atomic
            beyond++;
        }
        CHECK(beyond == 0);

        /* After a cancelled region everything is as before. */
        int sum = 0;
#pragma omp parallel
        {
#pragma omp single
            sum += 1000;
#pragma omp for schedule(dynamic) reduction(+ : sum)
            for (int i = 0; i < 10; i++)
                sum += i;
        }
        CHECK(sum == 1045);
    }
    return finish("cancelling");
}
