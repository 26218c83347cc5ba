/* taskloop with strict pieces; reductions of tasks in loops, sections and regions, read by every
 * member behind the construct; affinity's format; allocators. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lengths[64], starts[64], pieces;

static int by_start(const void* a, const void* b)
{
    return starts[*(const int*)a] - starts[*(const int*)b];
}

static void show(const char* what)
{
    int order[64];
    for (int i = 0; i < pieces; ++i)
        order[i] = i;
    qsort(order, (size_t)pieces, sizeof *order, by_start);
    printf("%s:", what);
    for (int i = 0; i < pieces; ++i)
        printf(" %d", lengths[order[i]]);
    printf("\n");
    pieces = 0;
}

static void pieces_of(int n, int grain, int tasks)
{
    int seen = 0, piece = 0;
#pragma omp taskloop firstprivate(seen, piece) grainsize(strict : grain)
    for (int i = 0; i < n; ++i) {
        if (seen++ == 0) {
#pragma omp atomic capture
            piece = pieces++;
            starts[piece] = i;
        }
        lengths[piece] = seen;
    }
    show("grainsize");
#pragma omp taskloop firstprivate(seen, piece) num_tasks(strict : tasks)
    for (int i = 0; i < n; ++i) {
        if (seen++ == 0) {
#pragma omp atomic capture
            piece = pieces++;
            starts[piece] = i;
        }
        lengths[piece] = seen;
    }
    show("num_tasks");
}

static int reductions(void)
{
    int wrong = 0, a = 0, b = 0, c = 0, turn = 0;
#pragma omp parallel num_threads(4) reduction(task, + : c) reduction(+ : wrong)
    {
        for (int round = 1; round <= 5; ++round) {
#pragma omp for ordered reduction(task, + : a)
            for (int i = 0; i < 30; ++i) {
                a++;
#pragma omp task in_reduction(+ : a)
                a += i;
#pragma omp ordered
                turn++;
            }
            wrong += a != round * (30 + 435);
#pragma omp sections reduction(task, max : b)
            {
#pragma omp task in_reduction(max : b)
                b = b > 3 * round ? b : 3 * round;
#pragma omp section
                b = b > round ? b : round;
            }
            wrong += b != 3 * round;
#pragma omp barrier
        }
#pragma omp task in_reduction(+ : c)
        c += 2;
    }
    return wrong == 0 && c == 8 && turn == 150;
}

static int allocators(void)
{
    const omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 128}, {omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
    const omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 3, traits);
    int good = omp_get_default_allocator() == omp_default_mem_alloc;
    omp_set_default_allocator(mine);
#pragma omp parallel num_threads(3) reduction(&& : good)
    {
        char* const p = omp_alloc(100, omp_null_allocator);
        good = good && omp_get_default_allocator() == mine && p != NULL && (size_t)p % 128 == 0;
        omp_free(p, omp_null_allocator);
        omp_set_default_allocator(omp_const_mem_alloc);
    }
    good = good && omp_get_default_allocator() == mine && omp_alloc(10000, mine) == NULL;
    omp_set_default_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(mine);
    return good;
}

int main(void)
{
    char text[64];
#pragma omp parallel
#pragma omp single
    {
        pieces_of(79, 17, 9);
        pieces_of(7, 15, 7);
        pieces_of(57, 5, 4);
    }
    printf("%d %d\n", reductions(), allocators());
    omp_capture_affinity(text, sizeof text, "%0.5a|%.4L|%5{num_threads}|%0.3n|%%");
    printf("%s\n", text);
    return 0;
}
