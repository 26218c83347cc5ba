/* Debian's OpenBLAS, opened by path so that one program serves its OpenMP and its pthread build:
   products, Cholesky and LU factors of many sizes, each checked against a product with a vector.

   usage: blas LIBRARY alone|inside|nested|single|mixed|pthreads LARGEST
     alone     calls from the initial thread
     inside    from all members of a region, whose calls OpenBLAS keeps to one thread
     nested    the same with two active levels, where the calls have teams of their own
     single    from one member of a region, while the others wait
     mixed     the same, and from another thread of the program at the same time
     pthreads  from six threads of the program at once

   Prints one line; the seconds it took go to stderr. */
#include "blas.h"

#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef void potrf_function(const char*, const int*, double*, const int*, int*);
typedef void getrf_function(const int*, const int*, double*, const int*, int*, int*);

static gemm_function* gemm;
static potrf_function* potrf;
static getrf_function* getrf;
static int wrong, calls;

static void times(int n, const double* m, const double* x, double* y)
{
    memset(y, 0, sizeof(double) * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            y[i] += m[(long)j * n + i] * x[j];
}

/* Columns of a triangle times x; an upper one is meant when UPPER, its diagonal is 1 when UNIT. */
static void triangle_times(int n, const double* m, int upper, int unit, const double* x, double* y)
{
    memset(y, 0, sizeof(double) * n);
    for (int j = 0; j < n; ++j)
        for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
            y[i] += (unit && i == j ? 1.0 : m[(long)j * n + i]) * x[j];
}

static void compare(int n, const double* got, const double* wanted)
{
    double largest = 0;
    for (int i = 0; i < n; ++i)
        largest = fmax(largest, fabs(got[i] - wanted[i]));
    if (!(largest < 1e-8 * n))
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

static void once(int n, unsigned seed)
{
    const double one = 1, zero = 0;
    double *a = matrix(n, n, seed), *b = matrix(n, n, seed + 1), *c = matrix(n, n, seed + 2),
           *x = matrix(n, 1, seed + 3);
    double *y = malloc(sizeof(double) * n), *z = malloc(sizeof(double) * n),
           *w = malloc(sizeof(double) * n);
    int info = 0, *pivot = malloc(sizeof(int) * n);

    gemm("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
    times(n, b, x, y), times(n, a, y, z), times(n, c, x, y);
    compare(n, y, z);

    /* Symmetric and dominant, hence positive definite. */
    for (int j = 0; j < n; ++j)
        for (int i = 0; i <= j; ++i)
            b[(long)i * n + j] = b[(long)j * n + i] + (i == j ? n : 0),
                            b[(long)j * n + i] = b[(long)i * n + j];
    times(n, b, x, z);
    potrf("L", &n, b, &n, &info);
    for (int i = 0; i < n; ++i) { /* y = transposed L times x */
        y[i] = 0;
        for (int j = i; j < n; ++j)
            y[i] += b[(long)i * n + j] * x[j];
    }
    triangle_times(n, b, 0, 0, y, w);
    compare(n, w, z);

    times(n, a, x, z);
    getrf(&n, &n, a, &n, pivot, &info);
    triangle_times(n, a, 1, 0, x, y);
    triangle_times(n, a, 0, 1, y, w);
    for (int i = n; i-- > 0;) {
        double kept = w[i];
        w[i] = w[pivot[i] - 1], w[pivot[i] - 1] = kept;
    }
    compare(n, w, z);
    free(a), free(b), free(c), free(x), free(y), free(z), free(w), free(pivot);
}

static int largest;

static void all_sizes(unsigned seed)
{
    static const int sizes[] = {100, 127, 200, 256, 333, 500, 777, 1000, 1500, 2000};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes && sizes[s] <= largest; ++s)
        for (int again = sizes[s] <= 333 ? 8 : 1; again > 0; --again)
            once(sizes[s], seed + s + again);
}

static void* thread(void* seed)
{
    all_sizes((unsigned)(size_t)seed);
    return NULL;
}

int main(int count, char** arguments)
{
    if (count != 4)
        return fprintf(stderr,
                       "usage: blas LIBRARY alone|inside|nested|single|mixed|pthreads LARGEST\n"),
               2;
    void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    gemm = (gemm_function*)dlsym(library, "dgemm_");
    potrf = (potrf_function*)dlsym(library, "dpotrf_");
    getrf = (getrf_function*)dlsym(library, "dgetrf_");
    if (!gemm || !potrf || !getrf)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    const char* mode = arguments[2];
    largest = atoi(arguments[3]);
    double begin = omp_get_wtime();
    if (!strcmp(mode, "alone")) {
        all_sizes(1);
    } else if (!strcmp(mode, "inside") || !strcmp(mode, "nested")) {
        omp_set_max_active_levels(mode[0] == 'n' ? 2 : 1);
        for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(4)
            all_sizes(100 * omp_get_thread_num() + round);
        }
    } else if (!strcmp(mode, "single") || !strcmp(mode, "mixed")) {
        pthread_t other;
        if (mode[0] == 'm')
            pthread_create(&other, NULL, thread, (void*)100);
#pragma omp parallel
#pragma omp single
        all_sizes(1);
        if (mode[0] == 'm')
            pthread_join(other, NULL);
    } else {
        pthread_t threads[6];
        for (size_t i = 0; i < 6; ++i)
            pthread_create(&threads[i], NULL, thread, (void*)(100 * i));
        for (size_t i = 0; i < 6; ++i)
            pthread_join(threads[i], NULL);
    }
    fprintf(stderr, "took %.3f\n", omp_get_wtime() - begin);
    printf("%d of %d calls wrong\n", wrong, calls);
    return wrong != 0;
}
