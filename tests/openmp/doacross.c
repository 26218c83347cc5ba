/* ordered(n) loops: wavefronts in which an iteration may start only when its neighbours have
 * posted. */
#include "check.h"

#include <omp.h>

enum { n = 60, m = 40 };
static int grid[n][m];

static void reset(void)
{
    memset(grid, 0, sizeof grid);
}

static void expect_filled(const char* what)
{
    int bad = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            bad += grid[i][j] != i + j + 1;
    if (bad) {
        fprintf(stderr, "%s: %d wrong\n", what, bad);
        failures++;
    }
}

static int expected(int i, int j)
{
    return (i > 0 ? grid[i - 1][j] == i + j : 1) && (j > 0 ? grid[i][j - 1] == i + j : 1);
}

/* `base`: where the first index starts. Not 0 where the type is unsigned: gcc cannot tell i - 1
 * before the first iteration. */
#define WAVEFRONT(name, type, base, clause)                                                      \
    static void name(void)                                                                       \
    {                                                                                            \
        reset();                                                                                 \
        int bad = 0;                                                                             \
        _Pragma(clause) for (type i = base; i < base + n; i++) for (type j = base; j < base + m; \
                                                                    j++)                         \
        {                                                                                        \
            _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)") if (          \
                !expected((int)(i - base), (int)(j - base)))                                     \
            {                                                                                    \
                _Pragma("omp atomic") bad++;                                                     \
            }                                                                                    \
            grid[i - base][j - base] = (int)(i - base + j - base + 1);                           \
            _Pragma("omp ordered depend(source)")                                                \
        }                                                                                        \
        CHECK(bad == 0);                                                                         \
        expect_filled(#name);                                                                    \
    }

WAVEFRONT(by_default, int, 0, "omp parallel for ordered(2)")
WAVEFRONT(by_static, long, -30, "omp parallel for ordered(2) schedule(static)")
WAVEFRONT(by_chunks, int, 0, "omp parallel for ordered(2) schedule(static, 3)")
WAVEFRONT(by_dynamic, int, 0, "omp parallel for ordered(2) schedule(dynamic)")
WAVEFRONT(by_dynamic_5, long, 0, "omp parallel for ordered(2) schedule(dynamic, 5)")
WAVEFRONT(by_guided, int, 0, "omp parallel for ordered(2) schedule(guided)")
WAVEFRONT(by_runtime, int, 0, "omp parallel for ordered(2) schedule(runtime)")
WAVEFRONT(ull_static, unsigned long long, (1ull << 63),
          "omp parallel for ordered(2) schedule(static)")
WAVEFRONT(ull_dynamic, unsigned long long, (1ull << 63),
          "omp parallel for ordered(2) schedule(dynamic, 2)")
WAVEFRONT(ull_guided, unsigned long long, (1ull << 63),
          "omp parallel for ordered(2) schedule(guided, 2)")

static void collapsed(void)
{
    int last = -1, bad = 0;
#pragma omp parallel for collapse(2) ordered(2) schedule(dynamic, 1)
    for (int i = 0; i < 30; i++)
        for (int j = 9; j >= 0; j--) {
#pragma omp ordered depend(sink : i, j + 1)
            if (j < 9) {
                if (grid[i][j + 1] != 777)
#pragma omp atomic
                    bad++;
            }
            grid[i][j] = 777;
#pragma omp ordered depend(source)
        }
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 500; i++) {
#pragma omp ordered depend(sink : i - 1)
        bad += last != i - 1;
        last = i;
#pragma omp ordered depend(source)
    }
    CHECK(bad == 0 && last == 499);
}

int main(void)
{
    by_default();
    by_static();
    by_chunks();
    by_dynamic();
    by_dynamic_5();
    by_guided();
    omp_set_schedule(omp_sched_dynamic, 4);
    by_runtime();
    omp_set_schedule(omp_sched_static, 0);
    by_runtime();
    ull_static();
    ull_dynamic();
    ull_guided();
    reset();
    collapsed();
    return finish("doacross");
}
