/* What the programs of this folder share: cases that are run in rounds, a line for each in the form
 * that bench/ult/run reads, and the cost of many light threads that wait. */
#pragma once

#include "../measure/measure.h"

enum { rounds = 15, operations = 20000 };

struct ult_case {
    const char* name;
    void (*run)(void);
    int fewer_operations; /* if not 0 */
    int fewer_rounds;
};

/* The command line: a word that the names of cases have, or how many light threads are to wait. */
static long many;
static const char* wanted = "";

static inline void read_arguments(int argc, char** argv)
{
    many = argc > 1 ? atol(argv[1]) : 0;
    wanted = argc > 1 && many == 0 ? argv[1] : "";
}

static inline double now(void)
{
    return measure_now() * 1e9;
}

/* Bytes of memory that the process uses. */
static inline double memory(void)
{
    long pages = 0;
    FILE* const f = fopen("/proc/self/statm", "r");
    if (f == NULL || fscanf(f, "%*s %ld", &pages) != 1) {
        exit(1);
    }
    fclose(f);
    return (double)pages * 4096;
}

static inline void run_case(const struct ult_case* c)
{
    double samples[rounds];
    const int n = c->fewer_rounds != 0 ? c->fewer_rounds : rounds;
    const int each = c->fewer_operations != 0 ? c->fewer_operations : operations;
    if (strstr(c->name, wanted) == NULL) {
        return;
    }
    c->run();
    for (int r = 0; r < n; ++r) {
        const double start = now();
        c->run();
        samples[r] = (now() - start) / each;
    }
    qsort(samples, (size_t)n, sizeof samples[0], measure_compare);
    printf("%s\t%.1f\t%.1f\n", c->name, samples[n / 2], samples[0]);
    fflush(stdout);
}
