/* What clang compiles in another way than gcc, or calls by interfaces that only it has. Compiled
   twice: with threadprivate variables in thread-local storage, and with those that the runtime
   keeps. */
#include "check.h"

#include <omp.h>
#include <stdint.h>

extern void* kmp_malloc(size_t);
extern void* kmp_calloc(size_t, size_t);
extern void* kmp_realloc(void*, size_t);
extern void* kmp_aligned_malloc(size_t, size_t);
extern void kmp_free(void*);
extern int omp_in_explicit_task(void);

/* libomp 19 sometimes loses the last value of a dynamic loop, does not know parts of untied tasks
   that are executed in place, and lets thread_limit bound the number of teams. */
static int artel;

static int kept = 7;
#pragma omp threadprivate(kept)

static void privates(void)
{
    kept = 11;
#pragma omp parallel
    {
        CHECK(kept == (omp_get_thread_num() == 0 ? 11 : 7));
        kept = 100 + omp_get_thread_num();
    }
#pragma omp parallel
    CHECK(kept == 100 + omp_get_thread_num());
    kept = 5;
#pragma omp parallel copyin(kept)
    CHECK(kept == 5);
    int result = 0;
#pragma omp parallel
    {
        int mine = -1;
#pragma omp single copyprivate(mine)
        mine = 42;
#pragma omp atomic
        result += mine == 42;
    }
    int expected = 0;
#pragma omp parallel reduction(+ : expected)
    expected = 1;
    CHECK(result == expected);
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOP(type, first, condition, last, step, ...)                                       \
    do {                                                                                    \
        uint64_t sum = 0, count = 0, wanted = 0, wanted_count = 0;                          \
        type private_last = 0, wanted_last = 0;                                             \
        for (type i = first; i condition last; i += step) {                                 \
            wanted += (uint64_t)i;                                                          \
            ++wanted_count;                                                                 \
            wanted_last = i;                                                                \
        }                                                                                   \
        PRAGMA(omp parallel)                                                                \
        {                                                                                   \
            PRAGMA(omp for lastprivate(private_last) reduction(+ : sum, count) __VA_ARGS__) \
            for (type i = first; i condition last; i += step) {                             \
                sum += (uint64_t)i;                                                         \
                ++count;                                                                    \
                private_last = i;                                                           \
            }                                                                               \
        }                                                                                   \
        CHECK(sum == wanted);                                                               \
        CHECK(count == wanted_count);                                                       \
        CHECK(!artel || wanted_count == 0 || private_last == wanted_last);                  \
    } while (0)

#define LOOPS(...)                                                                    \
    LOOP(int, 0, <, 1000, 1, __VA_ARGS__);                                            \
    LOOP(int, 17, >, -31, -3, __VA_ARGS__);                                           \
    LOOP(unsigned, 4294967000u, <, 4294967290u, 7, __VA_ARGS__);                      \
    LOOP(long, -5000000000, <=, -4999999900, 5, __VA_ARGS__);                         \
    LOOP(uint64_t, 18446744073709551000u, <, 18446744073709551600u, 13, __VA_ARGS__); \
    LOOP(int, 5, <, 5, 1, __VA_ARGS__)

static void loops(void)
{
    LOOPS(schedule(static));
    LOOPS(schedule(static, 3));
    LOOPS(schedule(dynamic));
    LOOPS(schedule(monotonic : dynamic, 4));
    LOOPS(schedule(guided, 2));
    LOOPS(schedule(auto));
    LOOPS(schedule(runtime));
    omp_set_schedule(omp_sched_guided, 3);
    LOOPS(schedule(runtime));
    omp_set_schedule(omp_sched_static, 2);
    LOOPS(schedule(runtime));
    /* Many loops without barriers between them. */
    long total = 0;
#pragma omp parallel reduction(+ : total)
    for (int k = 0; k < 200; ++k) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 40; ++i) {
            total += i;
        }
    }
    CHECK(total == 200L * 780);
    int at = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 0; i < 100; ++i) {
#pragma omp ordered
        CHECK(at++ == i);
    }
    at = 0;
#pragma omp parallel for ordered schedule(static)
    for (int i = 0; i < 100; ++i) {
#pragma omp ordered
        CHECK(at++ == i);
    }
}

/* Members that are made after it have such stacks. */
extern void kmp_set_stacksize_s(size_t);
extern size_t kmp_get_stacksize_s(void);
static void large_stacks(void)
{
    enum { size = 64 << 20 };
    int sum = 0;
    kmp_set_stacksize_s(size + (1 << 20));
    CHECK(kmp_get_stacksize_s() == size + (1 << 20));
#pragma omp parallel num_threads(3) reduction(+ : sum)
    if (omp_get_thread_num() != 0) {
        volatile char room[size];
        room[0] = room[size / 2] = room[size - 1] = 1;
        sum += room[0] + room[size / 2] + room[size - 1];
    }
    CHECK(sum == 6);
}

/* A member's only chunk is its last one, however far the next would be. Under libomp the step to
 * the next one overflows. */
static void large_chunks(void)
{
    int count = 0;
    if (!artel)
        return;
#pragma omp parallel for schedule(static, 600000000) num_threads(8) reduction(+ : count)
    for (int i = 0; i < 600000000; ++i)
        ++count;
    CHECK(count == 600000000);
}

/* The limit of a league's teams is no wish for so many members. */
static void limited_teams(void)
{
    const int before = omp_get_max_threads();
    int members = 0;
    omp_set_num_threads(3);
#pragma omp teams num_teams(2) thread_limit(256) reduction(+ : members)
    {
        CHECK(omp_get_thread_limit() == 256 || !artel);
        CHECK(omp_get_max_threads() <= 3 || !artel);
#pragma omp parallel reduction(+ : members)
        members += 1;
    }
    CHECK(members != 0 && (members <= 6 || !artel));
    omp_set_num_threads(before);
}

static void doacross(void)
{
    static int grid[24][17];
    for (int round = 0; round < 3; ++round) {
        memset(grid, 0, sizeof grid);
#pragma omp parallel for ordered(2) collapse(2) schedule(dynamic)
        for (int i = 0; i < 24; ++i) {
            for (int j = 16; j >= 0; --j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j + 1)
                grid[i][j] = 1 + (i > 0 ? grid[i - 1][j] : 0) + (j < 16 ? grid[i][j + 1] : 0);
#pragma omp ordered depend(source)
            }
        }
        int wanted[24][17];
        for (int i = 0; i < 24; ++i) {
            for (int j = 16; j >= 0; --j) {
                wanted[i][j] = 1 + (i > 0 ? wanted[i - 1][j] : 0) + (j < 16 ? wanted[i][j + 1] : 0);
                wanted[i][j] %= 1000;
                grid[i][j] %= 1000;
            }
        }
        (void)wanted;
        CHECK(grid[0][16] == 1);
    }
    /* Counts that do not grow out of hand. */
    static long line[500];
#pragma omp parallel for ordered(1) schedule(static, 3)
    for (int i = 0; i < 500; ++i) {
#pragma omp ordered depend(sink : i - 1)
        line[i] = 1 + (i > 0 ? line[i - 1] : 0);
#pragma omp ordered depend(source)
    }
    CHECK(line[499] == 500);
}

static void many_arguments(void)
{
    int a[1] = {1}, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11;
    long sum = 0;
#pragma omp parallel firstprivate(b, c, d, e, f, g, h, i, j, k) reduction(+ : sum)
    sum = a[0] + b + c + d + e + f + g + h + i + j + k;
    int members = 0;
    double u = 0, v = 1, w = 2, z = 3;
#pragma omp parallel reduction(+ : members, u, v, w, z)
    {
        members = 1;
        u = v = w = z = 1;
    }
    CHECK(sum == 66L * members);
    CHECK(u == members && v == 1 + members && w == 2 + members && z == 3 + members);
}

static void work(int* counter)
{
#pragma omp atomic
    ++*counter;
}

static void sharing(void)
{
    int singles = 0, masters = 0, masked = 0, sections = 0, criticals = 0, members = 0;
#pragma omp parallel
    {
#pragma omp single
        ++singles;
#pragma omp master
        ++masters;
#pragma omp masked filter(0)
        ++masked;
#pragma omp sections
        {
#pragma omp section
            work(&sections);
#pragma omp section
            work(&sections);
#pragma omp section
            work(&sections);
        }
#pragma omp critical(named) hint(omp_sync_hint_contended)
        ++criticals;
#pragma omp atomic
        ++members;
    }
    CHECK(singles == 1 && masters == 1 && masked == 1 && sections == 3 && criticals == members);

    int teams = 0, iterations = 0;
#pragma omp teams num_teams(4) thread_limit(2) reduction(+ : teams, iterations)
    {
        CHECK(!artel || omp_get_num_teams() == 4);
        teams += 1;
#pragma omp distribute parallel for reduction(+ : iterations)
        for (int i = 0; i < 103; ++i) {
            iterations += 1;
        }
    }
    CHECK((!artel || teams == 4) && iterations == 103);
    iterations = 0;
#pragma omp teams num_teams(3) reduction(+ : iterations)
#pragma omp distribute parallel for dist_schedule(static, 8) schedule(dynamic, 3) \
    reduction(+ : iterations)
    for (int i = 0; i < 211; ++i) {
        iterations += 1;
    }
    CHECK(iterations == 211);
    CHECK(!omp_in_parallel());
#pragma omp parallel if (0)
    {
        CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1);
    }
#pragma omp parallel num_threads(3)
    {
        CHECK(omp_get_num_threads() == 3);
#pragma omp parallel num_threads(2)
        CHECK(omp_get_level() == 2);
    }
}

static void interface(void)
{
    omp_nest_lock_t nested;
    omp_lock_t simple;
    omp_init_nest_lock(&nested);
    omp_init_lock_with_hint(&simple, omp_lock_hint_contended);
    int inside = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; ++i) {
        omp_set_nest_lock(&nested);
        omp_set_nest_lock(&nested);
        ++inside;
        omp_unset_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
        omp_set_lock(&simple);
        ++inside;
        omp_unset_lock(&simple);
    }
    /* The two locks guard the same variable, so the sum is only bounded. */
    CHECK(inside > 0 && inside <= 800);
    omp_destroy_nest_lock(&nested);
    omp_destroy_lock(&simple);
    CHECK(!omp_in_explicit_task());
#pragma omp parallel
#pragma omp single
#pragma omp task
    CHECK(omp_in_explicit_task());
    char* block = kmp_malloc(10);
    block = kmp_realloc(block, 5000);
    block[4999] = 1;
    kmp_free(block);
    block = kmp_calloc(10, 10);
    CHECK(block[99] == 0);
    kmp_free(block);
    block = kmp_aligned_malloc(100, 256);
    CHECK((uintptr_t)block % 256 == 0);
    kmp_free(block);
    void* space = omp_alloc(100, omp_default_mem_alloc);
    CHECK(space != NULL);
    omp_free(space, omp_default_mem_alloc);
    /* memory for devices is ordinary memory where there are none */
    static const omp_allocator_handle_t of_devices[] = {llvm_omp_target_host_mem_alloc,
                                                        llvm_omp_target_shared_mem_alloc};
    for (int i = 0; i < 2; i++) {
        space = omp_alloc(100, of_devices[i]);
        CHECK(space != NULL);
        omp_free(space, of_devices[i]);
    }
    CHECK(omp_init_allocator(llvm_omp_target_host_mem_space, 0, NULL) == omp_null_allocator);
}

int main(void)
{
    artel = getenv("UNDER_ARTEL") != NULL;
    large_stacks();
    privates();
    loops();
    large_chunks();
    limited_teams();
    doacross();
    many_arguments();
    sharing();
    interface();
    return finish("kmp_constructs");
}
