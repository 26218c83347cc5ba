/* members.c — the first loop of a process whose iterations are long, in a team with more members
 * than CPUs: what it costs when members compute for milliseconds before others have begun. Up to 64
 * iterations with a dynamic schedule. --what work: each computes for --size microseconds; --what
 * zsymm: each is a product of matrices of order --size by OpenBLAS, which is serial inside of a
 * region. One sample per process. */
#include "openmp.h"

enum { row_major = 101, left = 141, upper = 121 }; /* cblas.h's */

typedef void zsymm_function(int order, int side, int triangle, int rows, int columns,
                            const double* alpha, const double* a, int lda, const double* b, int ldb,
                            const double* beta, double* c, int ldc);

static double* matrix(long order, int kind)
{
    double* m = (double*)malloc(2 * sizeof(double) * (size_t)(order * order));
    if (!m)
        abort();
    for (long i = 0; i < 2 * order * order; ++i)
        m[i] = kind == 0 ? 0 : (double)(i % kind - 2);
    return m;
}

static int iterations(const struct measure_options* options)
{
    return options->threads > 32 ? 64 : 2 * options->threads;
}

static double work(const struct measure_options* options)
{
    const int count = iterations(options);
    const long steps = measure_steps(options->size * 1e-6);
    const double start = measure_now();
#pragma omp parallel for num_threads(options->threads) schedule(dynamic)
    for (int i = 0; i < count; ++i)
        measure_work(steps);
    return measure_now() - start;
}

static double zsymm(const struct measure_options* options)
{
    void* library = dlopen("libopenblas.so.0", RTLD_NOW);
    zsymm_function* multiply = library ? (zsymm_function*)dlsym(library, "cblas_zsymm") : NULL;
    if (!multiply) {
        fprintf(stderr, "no OpenBLAS: %s\n", dlerror());
        exit(1);
    }
    const int count = iterations(options);
    const int order = options->size;
    const double one[2] = {1, 0}, zero[2] = {0, 0};
    double* a = matrix(order, 7);
    double* b = matrix(order, 5);
    double* c[64];
    for (int i = 0; i < count; ++i)
        c[i] = matrix(order, 0);
    const double start = measure_now();
#pragma omp parallel for num_threads(options->threads) schedule(dynamic)
    for (int i = 0; i < count; ++i)
        multiply(row_major, left, upper, order, order, one, a, order, b, order, zero, c[i], order);
    return measure_now() - start;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    const int of_blas = !strcmp(options.what, "zsymm");
    double took = 1e3 * (of_blas ? zsymm(&options) : work(&options));
    char name[32];
    snprintf(name, sizeof name, of_blas ? "zsymm-%d" : "members-%dus", options.size);
    measure_print(name, "ms", &options, &took, 1, 1, openmp_extra(""));
    return 0;
}
