/* fp_control.c — the floating-point control (rounding, flushing to zero) of members: what the
 * thread that meets a region has. In programs of gcc a thread gets it when it joins a team and
 * keeps its own afterwards; in programs of clang all have it in each region, and the thread that
 * met the region has it again at the end. */
#include "check.h"

#include <fenv.h>
#include <omp.h>
#include <xmmintrin.h>

#ifdef __clang__
enum { in_each_region = 1 };
#else
enum { in_each_region = 0 };
#endif

static unsigned x87(void)
{
    unsigned short word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

/* Both control words, without the exceptions that have been raised. */
static unsigned control(void)
{
    return x87() << 16 | (_mm_getcsr() & ~0x3fu);
}

static void set(int rounding, int flush)
{
    fesetround(rounding);
    _mm_setcsr(flush ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
}

static void top_level(int threads)
{
    set(FE_UPWARD, 1);
    const unsigned first = control();
#pragma omp parallel num_threads(threads)
    CHECK(control() == first);

    /* Those that were members before. */
    set(FE_TOWARDZERO, 0);
    const unsigned second = control();
#pragma omp parallel num_threads(threads)
    CHECK(control() == (in_each_region || omp_get_thread_num() == 0 ? second : first));

#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() != 0) {
        set(FE_DOWNWARD, 1);
    }
    CHECK(control() == second);
#pragma omp parallel num_threads(threads)
    CHECK((control() == second) == (in_each_region || omp_get_thread_num() == 0));

    /* At the end of a region. */
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
        set(FE_TONEAREST, 1);
    }
    CHECK((control() == second) == in_each_region);
#pragma omp parallel num_threads(1)
    set(FE_DOWNWARD, 1);
    CHECK((control() == second) == in_each_region);

    /* A team that was smaller in between. */
    set(FE_UPWARD, 0);
#pragma omp parallel num_threads(2)
    CHECK(omp_get_num_threads() == 2);
    set(FE_TOWARDZERO, 1);
    const unsigned third = control();
#pragma omp parallel num_threads(threads)
    CHECK(control() == third || (!in_each_region && omp_get_thread_num() == 1));
    set(FE_TONEAREST, 0);
}

static void inner_regions(int threads)
{
#pragma omp parallel num_threads(3)
    for (int round = 0; round < 20; ++round) {
        static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
        set(roundings[(omp_get_thread_num() + round) % 3], round % 2);
        const unsigned mine = control();
#pragma omp parallel num_threads(threads)
        {
            CHECK(control() == mine);
#pragma omp barrier
            if (omp_get_thread_num() != 0) {
                set(FE_TONEAREST, !(round % 2));
            }
        }
        CHECK(control() == mine);
    }
    set(FE_TONEAREST, 0);
}

static void leagues(void)
{
    set(FE_UPWARD, 1);
    const unsigned mine = control();
#pragma omp teams num_teams(3) thread_limit(2)
    {
        CHECK(control() == mine);
#pragma omp parallel num_threads(2)
        CHECK(control() == mine || (!in_each_region && omp_get_thread_num() != 0));
    }
    CHECK(control() == mine);
    set(FE_TONEAREST, 0);
}

/* The thread that met the region runs tasks while it waits for the others. */
static void tasks_at_the_end(void)
{
    set(FE_UPWARD, 0);
    const unsigned mine = control();
    for (int round = 0; round < 20; ++round) {
        int ran_here = 0;
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) {
            for (int i = 0; i < 20; ++i) {
#pragma omp task shared(ran_here)
                {
                    if (omp_get_thread_num() == 0) {
                        ran_here = 1;
                    }
                    set(FE_DOWNWARD, 1);
                    usleep(50);
                }
            }
        }
        CHECK((control() == mine) == (in_each_region || !ran_here));
        set(FE_UPWARD, 0);
    }
    set(FE_TONEAREST, 0);
}

/* Exceptions stay raised. */
static void exceptions(void)
{
    feclearexcept(FE_ALL_EXCEPT);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        feraiseexcept(FE_DIVBYZERO);
    }
    CHECK(fetestexcept(FE_DIVBYZERO) != 0);
    feclearexcept(FE_ALL_EXCEPT);
}

int main(void)
{
    omp_set_max_active_levels(2);
    top_level(4);
    for (int threads = 1; threads <= 5; threads += 2) {
        inner_regions(threads);
    }
    tasks_at_the_end();
#pragma omp parallel num_threads(2)
    tasks_at_the_end();
    leagues();
    exceptions();
    return finish("fp_control");
}
