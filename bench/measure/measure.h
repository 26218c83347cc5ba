/* measure.h — how every benchmark program samples a duration and prints it.
 *
 * Plain C so that the OpenMP programs (C, two compilers) and the C++ competitors share one
 * definition of "median". Single-threaded: only the thread that entered main() calls these
 * functions, unless a comment says otherwise.
 *
 * One measure = one call of measure_run(): warm up, find how many operations make a sample long
 * enough for the clock, take samples until the time is used up, print one JSON line. Durations per
 * operation are what the line holds.
 *
 * Rejected: a benchmark framework inside the processes. Google Benchmark reports means of long
 * batches; the figures here are medians and minima, some of one operation that takes 100 ns and
 * some of one that takes 20 ms.
 */
#pragma once

#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The options of a benchmark program. */
struct measure_options {
    int threads;         /* --threads: team size, or workers */
    double seconds;      /* --seconds: wall time spent sampling one measure */
    double sample_time;  /* --sample-time: shortest sample, seconds; batches of operations are grown
                            until they reach it */
    int min_samples;     /* --min-samples: taken even when the time is used up ... */
    double max_seconds;  /* --max-seconds: ... unless this much has gone by */
    int idle_us;         /* --idle-us: pause before every operation (loop start only) */
    int size;            /* --size: problem size, 0 = the program's own */
    const char* what;    /* --what: which of its measures a program takes, "" = its main one */
    const char* variant; /* --variant: which way of doing it, "" = the only one */
    const char* file;    /* --file: what it reads */
    int scale; /* --scale: which sizes a program takes that has several: 0 few, 1 the usual ones, 2
                  all */
};

/* Performs `count` operations and returns the seconds they took, as the body itself timed them. */
typedef double (*measure_body)(long count, void* context);

/* Monotonic time in seconds. Any thread. */
static inline double measure_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* CPUs this process may run on, at least 1. Any thread. */
static inline int measure_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

/* Work that takes the same number of dependent instructions in every program, however often it is
 * interrupted. A loop until a point in time would hide oversubscription, because time passes for a
 * descheduled thread, too. Any thread. */
static inline void measure_work(long steps)
{
    uint64_t state = 1;
    for (long step = 0; step < steps; ++step) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        __asm__ volatile("" : "+r"(state)); /* one step at a time, in both compilers */
    }
}

/* Steps of measure_work() that take `seconds` on an undisturbed CPU: the fastest of many trials,
 * since interruptions only ever make a trial slower. */
static inline long measure_steps(double seconds)
{
    const long trial = 20000;
    double best = 1e9;
    for (int i = 0; i < 300; ++i) {
        double start = measure_now();
        measure_work(trial);
        double took = measure_now() - start;
        if (took < best)
            best = took;
    }
    long steps = (long)(seconds / best * (double)trial + 0.5);
    return steps > 0 ? steps : 1;
}

/* Fills options from the command line; prints usage and exits with 2 on anything unknown. */
static inline void measure_parse(struct measure_options* options, int argc, char** argv)
{
    options->threads = measure_cpus();
    options->seconds = 0.5;
    options->sample_time = 100e-6;
    options->min_samples = 5;
    options->max_seconds = 0;
    options->idle_us = 0;
    options->size = 0;
    options->what = "";
    options->variant = "";
    options->file = "";
    options->scale = 1;
    for (int i = 1; i < argc; i += 2) {
        const char* value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value && !strcmp(argv[i], "--threads"))
            options->threads = atoi(value);
        else if (value && !strcmp(argv[i], "--seconds"))
            options->seconds = atof(value);
        else if (value && !strcmp(argv[i], "--sample-time"))
            options->sample_time = atof(value);
        else if (value && !strcmp(argv[i], "--min-samples"))
            options->min_samples = atoi(value);
        else if (value && !strcmp(argv[i], "--max-seconds"))
            options->max_seconds = atof(value);
        else if (value && !strcmp(argv[i], "--idle-us"))
            options->idle_us = atoi(value);
        else if (value && !strcmp(argv[i], "--size"))
            options->size = atoi(value);
        else if (value && !strcmp(argv[i], "--what"))
            options->what = value;
        else if (value && !strcmp(argv[i], "--variant"))
            options->variant = value;
        else if (value && !strcmp(argv[i], "--file"))
            options->file = value;
        else if (value && !strcmp(argv[i], "--scale"))
            options->scale = atoi(value);
        else {
            fprintf(stderr,
                    "usage: %s [--threads N] [--seconds S] [--sample-time S] [--min-samples N] "
                    "[--max-seconds S] [--idle-us US] [--size N] [--scale 0|1|2] [--what NAME] "
                    "[--variant NAME] [--file PATH]\n",
                    argv[0]);
            exit(2);
        }
    }
    if (options->threads < 1)
        options->threads = 1;
    if (options->min_samples < 1)
        options->min_samples = 1;
    if (options->max_seconds <= 0)
        options->max_seconds = 6 * options->seconds;
}

static inline int measure_compare(const void* left, const void* right)
{
    double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

/* The value at `fraction` of a sorted array, interpolated; count >= 1. */
static inline double measure_quantile(const double* sorted, long count, double fraction)
{
    double position = fraction * (double)(count - 1);
    long below = (long)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* The shared object that `symbol` resolves to in this process: it shows which runtime was
 * measured. */
static inline const char* measure_library(const char* symbol)
{
    void* address = dlsym(RTLD_DEFAULT, symbol);
    Dl_info info;
    if (!address || !dladdr(address, &info) || !info.dli_fname)
        return "";
    return info.dli_fname;
}

/* Sorts values (already in `unit`) and prints the JSON line. `extra` is "" or more members, each
 * preceded by a comma. */
static inline void measure_print(const char* name, const char* unit,
                                 const struct measure_options* options, double* values, long count,
                                 long batch, const char* extra)
{
    qsort(values, (size_t)count, sizeof *values, measure_compare);
    printf(
        "{\"measure\":\"%s\",\"threads\":%d,\"unit\":\"%s\",\"median\":%.6g,\"min\":%.6g,"
        "\"p90\":%.6g,\"samples\":%ld,\"batch\":%ld%s}\n",
        name, options->threads, unit, measure_quantile(values, count, 0.5), values[0],
        measure_quantile(values, count, 0.9), count, batch, extra);
    fflush(stdout);
}

/* Samples `body` and prints its cost per operation. `scale` turns seconds per operation into `unit`
 * (1e6 for us; for a body whose operation is k tasks, 1e9 / k for ns per task). Blocks for about
 * options->seconds. */
static inline void measure_run(const char* name, const char* unit, double scale,
                               const struct measure_options* options, measure_body body,
                               void* context, const char* extra)
{
    enum { capacity = 200000 };
    double* values = (double*)malloc(capacity * sizeof *values);
    if (!values)
        abort();
    /* Warm-up and batch size in one: a tenth of the time, doubling while samples are too short to
     * trust the clock. A size is accepted after three long samples in a row: one alone may be long
     * because it was interrupted. */
    long batch = 1;
    double start = measure_now();
    for (int long_samples = 0;
         long_samples < 3 || measure_now() - start < options->seconds * 0.1;) {
        if (body(batch, context) >= options->sample_time || batch >= 1L << 40) {
            ++long_samples;
            if (measure_now() - start > options->seconds)
                break; /* each operation is slow: no need for more */
        } else {
            long_samples = 0;
            batch *= 2;
        }
    }
    long count = 0;
    start = measure_now();
    for (;;) {
        double took = body(batch, context);
        values[count++] = took / (double)batch * scale;
        double elapsed = measure_now() - start;
        if (count >= capacity || elapsed >= options->max_seconds)
            break;
        if (elapsed >= options->seconds && count >= options->min_samples)
            break;
    }
    measure_print(name, unit, options, values, count, batch, extra);
    free(values);
}
