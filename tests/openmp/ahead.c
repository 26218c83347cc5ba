/* Constructs without barriers: a member may be late by any number of them, and wait for what
   another does further on. */
#include "check.h"

#include <omp.h>
#include <sched.h>

enum { members = 3, rounds = 300, iterations = 5 };

static int passed; /* by the member that goes ahead */
static int ran[rounds][iterations];
static int sections_ran[rounds][2];

static void wait_for(const int* count, int least)
{
    while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < least)
        sched_yield();
}

static void count(int* what)
{
    __atomic_add_fetch(what, 1, __ATOMIC_RELAXED);
}

/* Loops of different schedules and sections, in turn. */
static void meet(int round)
{
    switch (round % 4) {
    case 0:
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < iterations; i++)
            count(&ran[round][i]);
        break;
    case 1:
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < iterations; i++)
            count(&ran[round][i]);
        break;
    case 2:
#pragma omp sections nowait
    {
#pragma omp section
        count(&sections_ran[round][0]);
#pragma omp section
        count(&sections_ran[round][1]);
    } break;
    default:
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < iterations; i++)
            count(&ran[round][i]);
    }
}

static void check_and_forget(int from, int to)
{
    for (int round = from; round < to; round++) {
        for (int i = 0; i < iterations; i++)
            CHECK(ran[round][i] == (round % 4 == 2 ? 0 : 1));
        for (int i = 0; i < 2; i++)
            CHECK(sections_ran[round][i] == (round % 4 == 2 ? 1 : 0));
    }
    memset(ran, 0, sizeof ran);
    memset(sections_ran, 0, sizeof sections_ran);
    passed = 0;
}

static void region(void)
{
#pragma omp parallel num_threads(members)
    {
        const int me = omp_get_thread_num();
        if (me == 0)
            wait_for(&passed, rounds - 10);
        else if (me == 2)
            wait_for(&passed, rounds / 2);
        for (int round = 0; round < rounds; round++) {
            meet(round);
            if (me == 1)
                __atomic_store_n(&passed, round + 1, __ATOMIC_RELEASE);
        }
    }
    check_and_forget(0, rounds);
}

/* Late again and again, with barriers in between. */
static void in_turn(void)
{
#pragma omp parallel num_threads(members)
    for (int part = 0; part < members; part++) {
        const int end = rounds / members * (part + 1);
        if (omp_get_thread_num() != part)
            wait_for(&passed, end);
        for (int round = rounds / members * part; round < end; round++) {
            meet(round);
            if (omp_get_thread_num() == part)
                __atomic_store_n(&passed, round + 1, __ATOMIC_RELEASE);
        }
#pragma omp barrier
    }
    check_and_forget(0, rounds);
}

/* Loops whose pieces may be taken several at once. A member is in the first one until another is
   256 loops further. */
static void far_behind(void)
{
    enum { loops = 300, pieces = 4096, far = 256 };
    static int times[loops][pieces];
    static int arrived;
    memset(times, 0, sizeof times);
    arrived = 0;
#pragma omp parallel num_threads(2)
    for (int loop = 0; loop < loops; loop++) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < pieces; i++) {
            count(&times[loop][i]);
            if (loop == 0 && i == 0)
                wait_for(&arrived, 1);
            if (loop == far) {
                __atomic_store_n(&arrived, 1, __ATOMIC_RELEASE);
                const double end = omp_get_wtime() + 1e-5;
                while (omp_get_wtime() < end) {
                }
            }
        }
    }
    for (int loop = 0; loop < loops; loop++)
        for (int i = 0; i < pieces; i++)
            CHECK(times[loop][i] == 1);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        region();
        in_turn();
        far_behind();
    }
    return finish("ahead");
}
