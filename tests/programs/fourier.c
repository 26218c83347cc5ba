/* FFTW's OpenMP build, opened by name: transforms there and back in one to three dimensions with 1,
   2, 4 and 16 threads, also called inside a region. Plans are made without measuring, so that the
   same ones are made each time; they depend on the number of threads, and so do last bits: what is
   printed is the same for two runs with the same numbers.

   usage: fourier [TIMES]
     TIMES     as bench/programs calls it: transforms by omp_get_max_threads() threads, TIMES there
   and back, nothing else but a sum

   The seconds that it took go to stderr. */
#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex_number[2];
enum { FORWARD = -1, BACKWARD = 1, ESTIMATE = 1 << 6 };

static void* (*plan_dft)(int, const int*, complex_number*, complex_number*, int, unsigned);
static void (*execute)(void*), (*execute_dft)(void*, complex_number*, complex_number*),
    (*destroy_plan)(void*), (*plan_with_nthreads)(int);
static int (*init_threads)(void);

static unsigned long long bits(const complex_number* x, long n)
{
    unsigned long long sum = 1469598103934665603ull, word;
    for (long i = 0; i < n; ++i)
        for (int part = 0; part < 2; ++part) {
            memcpy(&word, &x[i][part], sizeof word);
            sum = (sum ^ word) * 1099511628211ull;
        }
    return sum;
}

static long points(int rank, const int* extents)
{
    long n = 1;
    for (int i = 0; i < rank; ++i)
        n *= extents[i];
    return n;
}

/* Seconds of the transforms alone. */
static double timed(int rank, const int* extents, int times)
{
    long n = points(rank, extents);
    complex_number *x = aligned_alloc(64, n * sizeof *x), *y = aligned_alloc(64, n * sizeof *y);
    plan_with_nthreads(omp_get_max_threads());
    void* there = plan_dft(rank, extents, x, y, FORWARD, ESTIMATE);
    void* back = plan_dft(rank, extents, y, x, BACKWARD, ESTIMATE);
    for (long i = 0; i < n; ++i)
        x[i][0] = sin(i * 0.37), x[i][1] = cos(i * 0.011);
    double begin = omp_get_wtime();
    for (int i = 0; i < times; ++i) {
        execute(there);
        execute(back);
        for (long j = 0; j < n; ++j) /* else the numbers grow by n each time */
            x[j][0] /= n, x[j][1] /= n;
    }
    double took = omp_get_wtime() - begin;
    printf("%ld points: %016llx\n", n, bits(x, n));
    destroy_plan(there), destroy_plan(back);
    free(x), free(y);
    return took;
}

static void transform(int rank, const int* extents, int threads)
{
    long n = points(rank, extents);
    complex_number *x = aligned_alloc(64, n * sizeof *x), *y = aligned_alloc(64, n * sizeof *y),
                   *z = aligned_alloc(64, n * sizeof *z);
    plan_with_nthreads(threads);
    void* there = plan_dft(rank, extents, x, y, FORWARD, ESTIMATE);
    void* back = plan_dft(rank, extents, y, z, BACKWARD, ESTIMATE);
    for (long i = 0; i < n; ++i)
        x[i][0] = sin(i * 0.37), x[i][1] = cos(i * 0.011);
    execute(there);
    unsigned long long sum = bits(y, n);
    execute(back);
    double error = 0;
    for (long i = 0; i < n; ++i)
        error = fmax(error, fabs(z[i][0] / n - x[i][0]) + fabs(z[i][1] / n - x[i][1]));
    printf("%d threads, %ld points: %016llx %s\n", threads, n, sum,
           error < 1e-9 ? "back again" : "WRONG");

    /* The same plan on memory of each member: nested, with an active level of its own. */
    int bad = 0;
#pragma omp parallel num_threads(3) reduction(+ : bad)
    {
        complex_number* mine = aligned_alloc(64, n * sizeof *mine);
        execute_dft(there, x, mine);
        bad += bits(mine, n) != sum;
        free(mine);
    }
    if (bad)
        printf("%d members WRONG\n", bad);
    destroy_plan(there), destroy_plan(back);
    free(x), free(y), free(z);
}

int main(int count, char** arguments)
{
    void* base = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_GLOBAL);
    void* parallel = base ? dlopen("libfftw3_omp.so.3", RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (!parallel)
        return fprintf(stderr, "%s\n", dlerror()), 77;
    *(void**)&plan_dft = dlsym(base, "fftw_plan_dft");
    *(void**)&execute = dlsym(base, "fftw_execute");
    *(void**)&execute_dft = dlsym(base, "fftw_execute_dft");
    *(void**)&destroy_plan = dlsym(base, "fftw_destroy_plan");
    *(void**)&plan_with_nthreads = dlsym(parallel, "fftw_plan_with_nthreads");
    *(void**)&init_threads = dlsym(parallel, "fftw_init_threads");
    if (!init_threads())
        return 2;
    omp_set_max_active_levels(2);
    double begin = omp_get_wtime();
    static const int line[] = {1 << 18}, odd[] = {3 * 5 * 7 * 1024}, plane[] = {512, 384},
                     block[] = {64, 48, 80};
    static const int threads[] = {1, 2, 4, 16};
    if (count > 1) {
        int times = atoi(arguments[1]);
        double took = timed(1, line, times) + timed(1, odd, times) + timed(2, plane, times) +
                      timed(3, block, times);
        fprintf(stderr, "took %.4f\n", took);
        return 0;
    }
    for (int t = 0; t < 4; ++t) {
        transform(1, line, threads[t]);
        transform(1, odd, threads[t]);
        transform(2, plane, threads[t]);
        transform(3, block, threads[t]);
    }
    fprintf(stderr, "took %.3f\n", omp_get_wtime() - begin);
    return 0;
}
