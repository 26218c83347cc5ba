/* sleeping.c — members that wait for each other by looking at a flag and sleeping in between, with
   more members than CPUs: the one that is waited for may be ready on the OS thread that sleeps. And
   what the functions return. */
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <omp.h>
#include <stdatomic.h>
#include <time.h>

enum { members = 32, rounds = 12, us = 1000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int os_threads(void)
{
    DIR* const all = opendir("/proc/self/task");
    int n = -2; /* . and .. */
    while (readdir(all) != NULL)
        ++n;
    closedir(all);
    return n;
}

/* Sleeps for 200 us, in one of four ways. */
static void sleep_a_little(int how)
{
    const double start = now();
    struct timespec t = {0, 200 * us};
    switch (how) {
    case 0: CHECK(usleep(200) == 0); break;
    case 1: CHECK(nanosleep(&t, &t) == 0); break;
    case 2: CHECK(clock_nanosleep(CLOCK_REALTIME, 0, &t, NULL) == 0); break;
    default:
        clock_gettime(CLOCK_MONOTONIC, &t);
        t.tv_nsec += 200 * us;
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == 0);
        break;
    }
    CHECK(now() - start >= 200e-6);
}

/* The last member goes first. Returns the most OS threads that there were. */
static int one_after_the_other(int how)
{
    atomic_int turn = members - 1;
    int most = 0;
#pragma omp parallel num_threads(members)
    {
        const int me = omp_get_thread_num();
        while (turn != me)
            sleep_a_little(how);
        if (me == 0)
            most = os_threads();
        --turn;
    }
    CHECK(turn == -1);
    return most;
}

/* The initial thread sleeps in its region until tasks have run. */
static void beside_tasks(int how)
{
    atomic_int left = 2 * members;
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        {
            for (int i = 0; i < 2 * members; ++i) {
#pragma omp task shared(left)
                {
                    sleep_a_little(how);
                    --left;
                }
            }
            while (left > members) {
#pragma omp taskyield
                sleep_a_little(how);
            }
        }
    }
    CHECK(left == 0);
}

/* What is refused, and what does not sleep at all. */
static void unusual_arguments(void)
{
    const struct timespec long_past = {0, 1}, none = {0, 0}, many = {0, 1000000000},
                          negative = {-1, 0};
    const struct timespec* volatile const nothing = NULL; /* hidden from the compiler */
    errno = 0;
    CHECK(nanosleep(&many, NULL) == -1 && errno == EINVAL);
    errno = 0;
    CHECK(nanosleep(&negative, NULL) == -1 && errno == EINVAL);
    errno = 0;
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &many, NULL) == EINVAL && errno == 0);
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, NULL) == EINVAL);
    CHECK(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &none, NULL) == EINVAL);
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &long_past, NULL) == 0);
    CHECK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &long_past, NULL) == 0);
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, nothing, NULL) == EFAULT);
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, nothing, NULL) == EFAULT);
    CHECK(nanosleep(nothing, NULL) == -1 && errno == EFAULT);
    errno = 0;
    CHECK(nanosleep(&none, NULL) == 0 && usleep(0) == 0 && errno == 0);
}

int main(void)
{
    int most = 0;
    for (int round = 0; round < rounds; ++round) {
        const int threads = one_after_the_other(round % 4);
        most = threads > most ? threads : most;
        beside_tasks(round % 4);
    }
    /* With an OS thread for each member that sleeps there would be twice as many. */
    CHECK(most <= members + members / 2);
    unusual_arguments();
#pragma omp parallel num_threads(4)
    unusual_arguments();
    return finish("sleeping");
}
