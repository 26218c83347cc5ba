/* Loop nests whose arithmetic the runtime does (__kmpc_process_loop_nest_rectang and what belongs
   to it), called as a compiler would: every iteration of the real nest exactly once, and in its
   order. Under libomp the same must hold; the parts of members may be others. And the numbers of
   tasks. */
#include "check.h"

#include <omp.h>
#include <stdint.h>

enum { less_or_equal, greater_or_equal, not_equal, less, greater };
enum { u8, i8, u16, i16, u32, i32, u64, i64 };

static int artel;

struct loop {
    int32_t bound_type, variable_type, comparison, outer;
    uint64_t first, first_slope, last, last_slope;
    int64_t step;
    uint64_t count;
};

extern uint64_t __kmpc_process_loop_nest_rectang(void*, int32_t, struct loop*, int32_t);
extern void __kmpc_calc_original_ivs_rectang(void*, uint64_t, const struct loop*, uint64_t*,
                                             int32_t);
extern int32_t __kmpc_for_collapsed_init(void*, int32_t, struct loop*, struct loop*, int32_t,
                                         int32_t*);
extern int32_t __kmpc_global_thread_num(void*);
extern int32_t __kmpc_get_taskid(void);
extern int32_t __kmpc_get_parent_taskid(void);

static struct loop simple(int32_t type, int32_t variable, int32_t comparison, int64_t first,
                          int64_t last, int64_t step)
{
    return (struct loop){type, variable,       comparison, 0,    (uint64_t)first,
                         0,    (uint64_t)last, 0,          step, 0};
}

static void rectangular(void)
{
    struct loop nest[] = {simple(i32, i32, less, -3, 5, 2), simple(u64, u64, greater, 20, 2, -3),
                          simple(i64, i16, not_equal, 100, 90, -5),
                          simple(u32, u8, less_or_equal, 250, 255, 1)};
    CHECK(__kmpc_process_loop_nest_rectang(NULL, 0, nest, 4) == 4 * 6 * 2 * 6);
    CHECK(nest[0].count == 4 && nest[1].count == 6 && nest[2].count == 2 && nest[3].count == 6);
    CHECK(nest[0].comparison == less_or_equal && nest[1].comparison == greater_or_equal &&
          nest[2].comparison == greater_or_equal);
    uint64_t number = 0;
    for (int i = -3; i < 5; i += 2)
        for (uint64_t j = 20; j > 2; j -= 3)
            for (int16_t k = 100; k != 90; k -= 5)
                for (unsigned l = 250; l <= 255; ++l) {
                    uint64_t found[4];
                    __kmpc_calc_original_ivs_rectang(NULL, number++, nest, found, 4);
                    CHECK((int)found[0] == i && found[1] == j && (int16_t)found[2] == k &&
                          (uint8_t)found[3] == l);
                }
    struct loop none[] = {simple(i32, i32, less, 0, 10, 1), simple(i32, i32, less, 5, 5, 1)};
    CHECK(__kmpc_process_loop_nest_rectang(NULL, 0, none, 2) == 0);
    struct loop widest[] = {simple(i64, i64, less_or_equal, INT64_MIN, INT64_MAX - 1, 1)};
    CHECK(__kmpc_process_loop_nest_rectang(NULL, 0, widest, 1) == UINT64_MAX);

    /* A parallelogram: both bounds of the inner loop move with the outer one. */
    struct loop slanted[] = {simple(i32, i32, less, 0, 5, 1), simple(i32, i32, less, 2, 9, 3)};
    slanted[1].first_slope = slanted[1].last_slope = (uint32_t)-2;
    CHECK(__kmpc_process_loop_nest_rectang(NULL, 0, slanted, 2) == 5 * 3);
    number = 0;
    for (int i = 0; i < 5; ++i)
        for (int j = 2 - 2 * i; j < 9 - 2 * i; j += 3) {
            uint64_t found[2];
            __kmpc_calc_original_ivs_rectang(NULL, number++, slanted, found, 2);
            CHECK((int)found[0] == i && (int)found[1] == j);
        }
}

/* for i = 0 .. n-1; for j = a + b*i to c + d*i by s; for k = j to e: each member walks through its
 * part. */
static int seen[40][200][60], wanted[40][200][60];
enum { middle = 100 };

static void shape(int n, int a, int b, int c, int d, int s, int e)
{
    memset(seen, 0, sizeof seen);
    memset(wanted, 0, sizeof wanted);
    int64_t all = 0, last_i = -1, last_j = 0, last_k = 0;
    for (int i = 0; i < n; ++i)
        for (int j = a + b * i; s > 0 ? j <= c + d * i : j >= c + d * i; j += s)
            for (int k = j; k <= e; ++k) {
                ++wanted[i][j + middle][k + 30];
                last_i = i, last_j = j, last_k = k;
                ++all;
            }
    int lasts = 0;
    int64_t done = 0;
#pragma omp parallel reduction(+ : lasts, done)
    {
        struct loop nest[] = {simple(i32, i32, less, 0, n, 1),
                              simple(i32, i32, s > 0 ? less_or_equal : greater_or_equal, a, c, s),
                              simple(i32, i32, less_or_equal, 0, e, 1)};
        nest[1].first_slope = (uint32_t)b;
        nest[1].last_slope = (uint32_t)d;
        nest[2].outer = 1;
        nest[2].first_slope = 1;
        struct loop part[3];
        int32_t is_last = 0;
        if (__kmpc_for_collapsed_init(NULL, __kmpc_global_thread_num(NULL), nest, part, 3,
                                      &is_last)) {
            const int i0 = (int)part[0].first, j0 = (int)part[1].first, k0 = (int)part[2].first;
            const int i1 = (int)part[0].last, j1 = (int)part[1].last, k1 = (int)part[2].last;
            for (int i = i0; i <= i1; ++i)
                for (int j = i == i0 ? j0 : a + b * i; s > 0 ? j <= c + d * i : j >= c + d * i;
                     j += s) {
                    for (int k = i == i0 && j == j0 ? k0 : j;
                         k <= e && !(i == i1 && j == j1 && k > k1); ++k) {
                        __atomic_add_fetch(&seen[i][j + middle][k + 30], 1, __ATOMIC_RELAXED);
                        ++done;
                    }
                    if (i == i1 && j == j1)
                        break;
                }
            if (is_last) {
                ++lasts;
                CHECK(!artel || (i1 == last_i && j1 == last_j && k1 == last_k)); /* libomp's last
                                                                                    bounds may lie
                                                                                    behind */
            }
        }
    }
    CHECK(done == all);
    CHECK(lasts == (all != 0));
    CHECK(memcmp(seen, wanted, sizeof seen) == 0);
}

static void numbers_of_tasks(void)
{
    CHECK(__kmpc_get_parent_taskid() == 0);
    const int32_t initial = __kmpc_get_taskid();
    CHECK(initial != 0 && initial == __kmpc_get_taskid());
    int32_t ids[64];
    int team = 0;
#pragma omp parallel num_threads(4)
    {
        const int me = omp_get_thread_num();
        ids[me] = __kmpc_get_taskid();
        CHECK(__kmpc_get_parent_taskid() == initial);
#pragma omp single
        team = omp_get_num_threads();
        const int32_t mine = ids[me];
#pragma omp task firstprivate(mine, me)
        {
            const int32_t child = __kmpc_get_taskid();
            CHECK(child != mine && child != initial && __kmpc_get_parent_taskid() == mine);
#pragma omp parallel num_threads(2)
            CHECK(__kmpc_get_parent_taskid() == child && __kmpc_get_taskid() != child);
        }
#pragma omp taskwait
        CHECK(__kmpc_get_taskid() == mine);
    }
    for (int i = 0; i < team; ++i)
        for (int j = 0; j < i; ++j)
            CHECK(ids[i] != ids[j] && ids[i] != initial);
    CHECK(__kmpc_get_taskid() == initial);
}

int main(void)
{
    artel = getenv("UNDER_ARTEL") != NULL;
    rectangular();
    shape(1, 0, 0, 0, 0, 1, 5);    /* few iterations: most members have none */
    shape(10, 0, 0, 7, 0, 2, 9);   /* a triangle below a rectangle */
    shape(12, 0, 0, 0, 1, 1, 20);  /* j up to i */
    shape(15, 0, 1, 20, 0, 3, 25); /* j from i */
    shape(9, -2, -1, 3, 2, 4, 11); /* a trapezium */
    shape(8, 20, 1, 2, -2, -5, 24);
    shape(6, 3, 1, 1, 1, 1, 24);   /* nothing at all */
    shape(7, 12, -4, 4, 0, 1, 24); /* nothing in the first iterations */
    if (artel)
        numbers_of_tasks(); /* libomp gives every task the same */
    return finish("kmp_collapse");
}
