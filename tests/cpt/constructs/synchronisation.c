/* Waiting, order in memory, and atomic operations. */
#include "row.h"

static int critical(void)
{
    int sum = 0, other = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
#pragma omp critical
        sum++;
#pragma omp critical(named)
        {
            int before = other;
#pragma omp taskyield
            other = before + 1;
        }
    }
    return sum != 100 * threads || other != sum;
}
static int barrier(void)
{
    int arrived = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 1; i <= 20; i++) {
#pragma omp atomic
        arrived++;
#pragma omp barrier
        int now;
#pragma omp atomic read
        now = arrived;
#pragma omp atomic
        wrong += now != i * threads;
#pragma omp barrier
    }
    return wrong;
}
static int flush(void)
{
    int ready = 0, value = 0, got = 0;
#pragma omp parallel num_threads(2) shared(ready, value, got)
    {
        if (omp_get_thread_num() == 1) {
            value = 7;
#pragma omp flush
#pragma omp atomic write
            ready = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp flush
#pragma omp atomic read
                seen = ready;
            }
            got = value;
        }
    }
    return got != 7;
}
static int atomic(void)
{
    int x = 0, bits = 0;
    double d = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        x += 2;
#pragma omp atomic update seq_cst
        d = 0.5 + d;
#pragma omp atomic
        bits |= 1 << i % 20;
    }
    return x != 200 * threads || d != 50 * threads || bits != (1 << 20) - 1;
}
static int atomic_read_write(void)
{
    long long both = 0;
    int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    for (int i = 0; i < 1000; i++) {
        long long seen, value = omp_get_thread_num();
#pragma omp atomic write release
        both = value << 32 | value;
#pragma omp atomic read acquire
        seen = both;
        wrong += seen >> 32 != (seen & 0xffffffff);
    }
    return wrong;
}
static int atomic_capture(void)
{
    static int times[100 * threads], doubled[100 * threads + 1];
    int next = 0, other = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 100; i++) {
        int before, after;
#pragma omp atomic capture
        before = next++;
        times[before]++;
#pragma omp atomic capture
        {
            other += 1;
            after = other;
        }
        doubled[after]++;
    }
    for (int i = 0; i < 100 * threads; i++)
        wrong += times[i] != 1 || doubled[i + 1] != 1;
    return wrong;
}
static int atomic_compare(void)
{
    int largest = 0, owner = -1, owners = 0;
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num(), mine;
        for (int i = 0; i < 100; i++) {
            int value = 100 * me + i;
#pragma omp atomic compare
            largest = largest < value ? value : largest;
        }
#pragma omp atomic compare capture
        {
            mine = owner == -1;
            if (mine) {
                owner = me;
            }
        }
#pragma omp atomic
        owners += mine;
    }
    return largest != 100 * threads - 1 || owners != 1;
}

const struct row rows[] = {
    {"critical", critical},
    {"barrier", barrier},
    {"flush", flush},
    {"atomic", atomic},
    {"atomic read, write", atomic_read_write},
    {"atomic capture", atomic_capture},
    {"atomic compare", atomic_compare},
    {NULL, NULL},
};
