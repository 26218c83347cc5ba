/* Merge sort whose halves are tasks; each merge is also split into two tasks. */
#include "tasks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { sorted_alone = 512, merged_alone = 2048 };

static int32_t *numbers, *unsorted, *buffer;
static size_t size;
static uint64_t sum;

static void insertion(int32_t* a, size_t n)
{
    for (size_t i = 1; i < n; ++i) {
        const int32_t x = a[i];
        size_t k = i;
        for (; k > 0 && a[k - 1] > x; --k) {
            a[k] = a[k - 1];
        }
        a[k] = x;
    }
}

static void merge_alone(const int32_t* a, size_t n, const int32_t* b, size_t m, int32_t* to)
{
    while (n > 0 && m > 0) {
        if (*b < *a) {
            *to++ = *b++;
            --m;
        } else {
            *to++ = *a++;
            --n;
        }
    }
    memcpy(to, n > 0 ? a : b, (n + m) * sizeof *to);
}

static void sort_alone(int32_t* a, int32_t* spare, size_t n)
{
    if (n <= 16) {
        insertion(a, n);
        return;
    }
    const size_t half = n / 2;
    sort_alone(a, spare, half);
    sort_alone(a + half, spare + half, n - half);
    merge_alone(a, half, a + half, n - half, spare);
    memcpy(a, spare, n * sizeof *a);
}

struct merging {
    const int32_t *a, *b;
    size_t n, m;
    int32_t* to;
};

static void merge(void* argument)
{
    const struct merging* const p = argument;
    if (p->n + p->m <= merged_alone) {
        merge_alone(p->a, p->n, p->b, p->m, p->to);
        return;
    }
    /* Splits the longer one at its middle, and the other one where that value belongs. */
    const int a_is_longer = p->n >= p->m;
    const int32_t* const cut = a_is_longer ? p->a : p->b;
    const int32_t* const other = a_is_longer ? p->b : p->a;
    const size_t middle = (a_is_longer ? p->n : p->m) / 2;
    size_t low = 0, high = a_is_longer ? p->m : p->n;
    while (low < high) {
        const size_t at = (low + high) / 2;
        if (other[at] < cut[middle]) {
            low = at + 1;
        } else {
            high = at;
        }
    }
    const size_t n = a_is_longer ? middle : low, m = a_is_longer ? low : middle;
    struct merging parts[2] = {{p->a, p->b, n, m, p->to},
                               {p->a + n, p->b + m, p->n - n, p->m - m, p->to + n + m}};
    struct job jobs[2] = {{.run = merge, .argument = &parts[0]},
                          {.run = merge, .argument = &parts[1]}};
    spawn(&jobs[0]);
    spawn(&jobs[1]);
    wait_for(jobs, 2);
}

struct sorting {
    int32_t *a, *spare;
    size_t n;
    int to_spare; /* where the result is to be */
};

static void sort_part(void* argument)
{
    const struct sorting* const s = argument;
    if (s->n <= sorted_alone) {
        sort_alone(s->a, s->spare, s->n);
        if (s->to_spare) {
            memcpy(s->spare, s->a, s->n * sizeof *s->a);
        }
        return;
    }
    const size_t half = s->n / 2;
    struct sorting parts[2] = {{s->a, s->spare, half, !s->to_spare},
                               {s->a + half, s->spare + half, s->n - half, !s->to_spare}};
    struct job jobs[2] = {{.run = sort_part, .argument = &parts[0]},
                          {.run = sort_part, .argument = &parts[1]}};
    spawn(&jobs[0]);
    spawn(&jobs[1]);
    wait_for(jobs, 2);
    const int32_t* const from = s->to_spare ? s->a : s->spare;
    struct merging m = {from, from + half, half, s->n - half, s->to_spare ? s->spare : s->a};
    merge(&m);
}

static void prepare(int exponent)
{
    size = (size_t)1 << (exponent != 0 ? exponent : 22);
    numbers = malloc(size * sizeof *numbers);
    unsorted = malloc(size * sizeof *unsorted);
    buffer = malloc(size * sizeof *buffer);
    unsigned state = 7;
    for (size_t i = 0; i < size; ++i) {
        state = state * 1664525u + 1013904223u;
        unsorted[i] = (int32_t)(state ^ (state >> 15));
        sum += (uint32_t)unsorted[i];
    }
}

static void run(void)
{
    memcpy(numbers, unsorted, size * sizeof *numbers);
    struct sorting all = {numbers, buffer, size, 0};
    sort_part(&all);
}

static int is_right(void)
{
    uint64_t found = (uint32_t)numbers[0];
    for (size_t i = 1; i < size; ++i) {
        if (numbers[i - 1] > numbers[i]) {
            return 0;
        }
        found += (uint32_t)numbers[i];
    }
    return found == sum;
}

const struct kernel sort = {"sort", prepare, run, is_right};
