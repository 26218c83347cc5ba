/* What belongs to one thread, what is handed on, and reductions. */
#include "row.h"

static int private_(void)
{
    int x = 3, y = 4, wrong = 0;
#pragma omp parallel num_threads(threads) private(x) firstprivate(y) reduction(+ : wrong)
    {
        x = omp_get_thread_num();
        y += x;
#pragma omp barrier
        wrong += x != omp_get_thread_num() || y != 4 + x;
    }
    return wrong || x != 3 || y != 4;
}
static int lastprivate(void)
{
    int x = 0;
#pragma omp parallel for num_threads(threads) lastprivate(x) schedule(dynamic)
    for (int i = 0; i < n; i++)
        x = i;
    return x != n - 1;
}
static int conditional_lastprivate(void)
{
    int x = -1;
#pragma omp parallel for num_threads(threads) lastprivate(conditional : x) schedule(dynamic, 7)
    for (int i = 0; i < n; i++)
        if (i % 3 == 0 && i < 700)
            x = i;
    return x != 699;
}
static int reduction(void)
{
    int sum = 5, most = 0, all = 1;
#pragma omp parallel for num_threads(threads) reduction(+ : sum) reduction(max : most) \
    reduction(&& : all)
    for (int i = 0; i < n; i++) {
        sum += i;
        most = i > most ? i : most;
        all = all && i >= 0;
    }
    return sum != 5 + n * (n - 1) / 2 || most != n - 1 || !all;
}
static int reduction_of_arrays(void)
{
    int a[4] = {0}, *p = a, sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : p[0 : 4])
    for (int i = 0; i < n; i++)
        p[i % 4] += i;
    for (int i = 0; i < 4; i++)
        sum += a[i];
    return sum != n * (n - 1) / 2;
}
struct pair {
    int least, most;
};
#pragma omp declare reduction(                                                              \
        range : struct pair : omp_out.least = omp_in.least < omp_out.least ? omp_in.least   \
                                                                           : omp_out.least, \
            omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most)         \
    initializer(omp_priv = {1 << 30, -1})
static int declared_reduction(void)
{
    struct pair p = {1 << 30, -1};
#pragma omp parallel for num_threads(threads) reduction(range : p)
    for (int i = 3; i < n; i++) {
        p.least = i < p.least ? i : p.least;
        p.most = i > p.most ? i : p.most;
    }
    return p.least != 3 || p.most != n - 1;
}
static int counter = 5;
#pragma omp threadprivate(counter)
static int threadprivate(void)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
        wrong += counter != 5;
        counter += omp_get_thread_num();
    }
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += counter != 5 + omp_get_thread_num();
    return wrong;
}
static int copyin(void)
{
    int wrong = 0;
    counter = 42;
#pragma omp parallel num_threads(threads) copyin(counter) reduction(+ : wrong)
    wrong += counter != 42;
    return wrong;
}
static int copyprivate(void)
{
    int x, wrong = 0;
#pragma omp parallel num_threads(threads) private(x) reduction(+ : wrong)
    {
#pragma omp single copyprivate(x)
        x = 99;
        wrong += x != 99;
    }
    return wrong;
}
static int allocators(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}};
    omp_allocator_handle_t h = omp_init_allocator(omp_default_mem_space, 1, traits);
    void* p = omp_alloc(100, h);
    int wrong = p == NULL || (unsigned long)p % 256 != 0;
    omp_free(p, h);
    omp_destroy_allocator(h);
    return wrong;
}

const struct row rows[] = {
    {"private", private_},
    {"reduction", reduction},
    {"lastprivate", lastprivate},
    {"lastprivate(conditional)", conditional_lastprivate},
    {"reduction of arrays", reduction_of_arrays},
    {"declare reduction", declared_reduction},
    {"threadprivate", threadprivate},
    {"copyin", copyin},
    {"copyprivate", copyprivate},
    {"allocators", allocators},
    {NULL, NULL},
};
