/* Every iteration of every kind of loop is executed exactly once, whatever the schedule, type,
 * direction and bounds. */
#include "check.h"

#include <limits.h>
#include <omp.h>

enum { most = 5000 };
static unsigned char seen[most];

static void expect_once(const char* what, long count)
{
    long bad = 0;
    for (long i = 0; i < most; i++) {
        bad += seen[i] != (i < count);
        seen[i] = 0;
    }
    if (bad) {
        fprintf(stderr, "%ld of %ld iterations not executed once:\n", bad, count);
        failed("loops", __LINE__, what);
    }
}

static void hit(unsigned long long index)
{
    if (index < most) {
#pragma omp atomic
        seen[index]++;
    } else {
        CHECK(!"iteration outside of the loop");
    }
}

/* One function per type: all schedules over first, first + by, ... for `count` iterations. `index`
 * recovers the number. */
#define LOOPS(name, type, compare, by_sign)                                                        \
    static void name(const char* what, type first, type end, type by, long count)                  \
    {                                                                                              \
        _Pragma("omp parallel")                                                                    \
        {                                                                                          \
            _Pragma("omp for schedule(static)") for (type i = first; i compare end;                \
                                                     i = i by_sign by)                             \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(static, 3)") for (type i = first; i compare end;             \
                                                        i = i by_sign by)                          \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(dynamic)") for (type i = first; i compare end;               \
                                                      i = i by_sign by)                            \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(monotonic: dynamic, 7)") for (type i = first; i compare end; \
                                                                    i = i by_sign by)              \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(nonmonotonic: guided)") for (type i = first; i compare end;  \
                                                                   i = i by_sign by)               \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(monotonic: guided, 5)") for (type i = first; i compare end;  \
                                                                   i = i by_sign by)               \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(runtime)") for (type i = first; i compare end;               \
                                                      i = i by_sign by)                            \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(nonmonotonic: runtime)") for (type i = first; i compare end; \
                                                                    i = i by_sign by)              \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(auto)") for (type i = first; i compare end;                  \
                                                   i = i by_sign by)                               \
                hit((unsigned long long)((i - first) / (0 by_sign by)));                           \
            _Pragma("omp single") expect_once(what, count);                                        \
            _Pragma("omp for schedule(dynamic, 2) ordered") for (type i = first; i compare end;    \
                                                                 i = i by_sign by)                 \
            {                                                                                      \
                _Pragma("omp ordered") hit((unsigned long long)((i - first) / (0 by_sign by)));    \
            }                                                                                      \
            _Pragma("omp single") expect_once(what, count);                                        \
        }                                                                                          \
        _Pragma("omp parallel for schedule(dynamic)") for (type i = first; i compare end;          \
                                                           i = i by_sign by)                       \
            hit((unsigned long long)((i - first) / (0 by_sign by)));                               \
        expect_once(what, count);                                                                  \
        _Pragma("omp parallel for schedule(guided, 4)") for (type i = first; i compare end;        \
                                                             i = i by_sign by)                     \
            hit((unsigned long long)((i - first) / (0 by_sign by)));                               \
        expect_once(what, count);                                                                  \
        _Pragma("omp parallel for schedule(runtime)") for (type i = first; i compare end;          \
                                                           i = i by_sign by)                       \
            hit((unsigned long long)((i - first) / (0 by_sign by)));                               \
        expect_once(what, count);                                                                  \
    }

LOOPS(int_up, int, <, +)
LOOPS(int_down, int, >, -)
LOOPS(long_up, long, <, +)
LOOPS(long_down, long, >, -)
LOOPS(ull_up, unsigned long long, <, +)
LOOPS(ulong_up, unsigned long, <, +)
#undef LOOPS

static void ull_down(const char* what, unsigned long long first, unsigned long long end,
                     unsigned long long by, long count)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (unsigned long long i = first; i > end; i -= by)
            hit((first - i) / by);
#pragma omp single
        expect_once(what, count);
#pragma omp for schedule(guided, 2)
        for (unsigned long long i = first; i > end; i -= by)
            hit((first - i) / by);
#pragma omp single
        expect_once(what, count);
#pragma omp for schedule(runtime)
        for (unsigned long long i = first; i > end; i -= by)
            hit((first - i) / by);
#pragma omp single
        expect_once(what, count);
#pragma omp for schedule(static, 4) ordered
        for (unsigned long long i = first; i > end; i -= by) {
#pragma omp ordered
            hit((first - i) / by);
        }
#pragma omp single
        expect_once(what, count);
    }
}

static void all_bounds(void)
{
    int_up("int", 0, 1000, 1, 1000);
    int_up("int by 3", -500, 500, 3, 334);
    int_up("int none", 10, 10, 1, 0);
    int_up("int less than none", 10, -10, 1, 0);
    int_up("int one", 5, 6, 1000, 1);
    int_up("int at the top", INT_MAX - 100, INT_MAX, 1, 100);
    int_down("int down", 1000, 0, 1, 1000);
    int_down("int down by 7", 1000, -1000, 7, 286);
    int_down("int down none", -5, 5, 1, 0);
    long_up("long", -10000000000L, -10000000000L + 4000, 2, 2000);
    long_up("long at the top", LONG_MAX - 1000, LONG_MAX - 1, 1, 999);
    long_up("long long steps", -(1L << 61), 1L << 61, 1L << 56, 64);
    long_down("long down", 3000, 0, 1, 3000);
    long_down("long at the bottom", LONG_MIN + 500, LONG_MIN + 1, 1, 499);
    ull_up("ull", 0, 777, 1, 777);
    ull_up("ull large", 1ull << 63, (1ull << 63) + 3000, 3, 1000);
    ull_up("ull at the top", ULLONG_MAX - 300, ULLONG_MAX - 1, 1, 299);
    ull_up("ull long steps", 1, 1ull << 63, 1ull << 56, 128);
    ulong_up("ulong", 5, 5000, 5, 999);
    ull_down("ull down", 900, 0, 1, 900);
    ull_down("ull down large", ULLONG_MAX, ULLONG_MAX - 1000, 3, 334);
    ull_down("ull down long steps", ULLONG_MAX - 1, 1ull << 63, 1ull << 57, 64);
}

/* Chunks so large that the sum of a few overflows. */
static void large_chunks(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, LONG_MAX)
        for (long i = 0; i < 100; i++)
            hit(i);
#pragma omp single
        expect_once("dynamic, LONG_MAX", 100);
#pragma omp for schedule(guided, LONG_MAX)
        for (long i = 0; i < 100; i++)
            hit(i);
#pragma omp single
        expect_once("guided, LONG_MAX", 100);
    }
    /* Here libgomp 12 loops for ever: chunk times increment is 0 modulo 2^64. */
    if (getenv("UNDER_ARTEL") == NULL)
        return;
#pragma omp parallel for schedule(dynamic, 1ull << 62)
    for (unsigned long long i = 0; i < 1ull << 63; i += 1ull << 57)
        hit(i >> 57);
    expect_once("ull dynamic, 2^62", 64);
    long last = 0;
#pragma omp parallel for schedule(dynamic, 1 << 20) lastprivate(last)
    for (unsigned long i = 0; i < 1ul << 63; i += 1ul << 60)
        last = (long)(i >> 60);
    CHECK(last == 7);
}

static void lines(int rows, int columns)
{
#pragma omp for collapse(2) schedule(dynamic, 3)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            hit((unsigned long long)(i * columns + j));
}

/* Loops without barriers between them: members run far ahead of each other. */
static void running_ahead(void)
{
    enum { loops = 100, length = 50 };
    static int count[loops][length];
    memset(count, 0, sizeof count);
#pragma omp parallel
    for (int k = 0; k < loops; k++) {
        switch (k % 3) {
        case 0:
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < length; i++)
#pragma omp atomic
                count[k][i]++;
            break;
        case 1:
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < length; i++)
#pragma omp atomic
                count[k][i]++;
            break;
        default:
#pragma omp for schedule(runtime) nowait
            for (int i = 0; i < length; i++)
#pragma omp atomic
                count[k][i]++;
        }
    }
    int bad = 0;
    for (int k = 0; k < loops; k++)
        for (int i = 0; i < length; i++)
            bad += count[k][i] != 1;
    CHECK(bad == 0);
}

int main(void)
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (int k = 0; k < 4; k++)
        for (int chunk = 0; chunk <= 3; chunk += 3) {
            omp_set_schedule(kinds[k], chunk);
            all_bounds();
        }
    large_chunks();
#pragma omp parallel
    lines(40, 50);
    expect_once("collapse", 2000);
    lines(30, 20); /* orphaned, outside of any region */
    expect_once("orphaned", 600);
    for (int i = 0; i < 5; i++)
        running_ahead();
    return finish("loops");
}
