/* A library that looks like an OpenBLAS of a wheel: names with a prefix and a suffix, the number of
   its threads in blas_cpu_number, handlers for forks registered in its constructor. Its "routines"
   tell what they were given and which number of threads they saw. */
#include <complex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#ifdef HIDDEN /* as newer wheels have them */
#pragma GCC visibility push(hidden)
#endif
int blas_cpu_number;
int exec_blas(long jobs, void* queue)
{
    (void)queue;
    return (int)jobs;
}

#ifdef HIDDEN
#pragma GCC visibility pop
#endif

static void nothing(void) {}

#ifndef START_THREADS /* the number of its threads, unless somebody sets another one */
#define START_THREADS 4
#endif

#ifndef START_MS /* how long the constructor takes */
#define START_MS 0
#endif

__attribute__((constructor)) static void start(void)
{
    usleep(START_MS * 1000);
    pthread_atfork(nothing, nothing, nothing);
    blas_cpu_number = START_THREADS;
}

void scipy_openblas_set_num_threads64_(int threads)
{
    blas_cpu_number = threads < 1 ? START_THREADS : threads > 64 ? 64 : threads;
}

int scipy_openblas_get_num_threads64_(void)
{
    return blas_cpu_number;
}

#ifndef WRAPPER /* which has the setter and the getter only */
char* scipy_openblas_get_config64_(void)
{
    return "stand-in";
}
#endif

/* Calls back with the number of threads it sees. */
void scipy_cblas_dsymm64_(void (*inside)(int threads, void* data), void* data)
{
    inside(blas_cpu_number, data);
}

/* Reaches another one as LAPACK's routines reach those of BLAS. */
void scipy_dgetrf_64_(void (*inside)(int threads, void* data), void* data)
{
    scipy_cblas_dsymm64_(inside, data);
}

/* As many arguments as any routine of LAPACK has, and numbers in between. */
double scipy_dtgsna_64_(int64_t a0, double x0, int64_t a1, double x1, int64_t a2, double x2,
                        int64_t a3, double x3, int64_t a4, double x4, int64_t a5, double x5,
                        int64_t a6, double x6, int64_t a7, double x7, int64_t a8, double x8,
                        int64_t a9, double x9, int64_t a10, int64_t a11, int64_t a12, int64_t a13,
                        int64_t a14, int64_t a15, int64_t a16, int64_t a17, int64_t a18,
                        int64_t a19, int64_t a20, int64_t a21, int64_t a22, int64_t a23,
                        int64_t a24, int64_t a25, int64_t a26, int64_t a27, int64_t a28,
                        int64_t a29, int64_t a30, int64_t a31, int64_t a32, int64_t a33,
                        int64_t a34, int64_t a35)
{
    const double sum = x0 + 2 * x1 + 3 * x2 + 4 * x3 + 5 * x4 + 6 * x5 + 7 * x6 + 8 * x7 + 9 * x8 +
                       10 * x9;
    const int64_t all[] = {a0,  a1,  a2,  a3,  a4,  a5,  a6,  a7,  a8,  a9,  a10, a11,
                           a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23,
                           a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35};
    double result = sum;
    for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
        result += (double)all[i] * (i + 11);
    return result;
}

double complex scipy_zdotu_64_(double re, double im)
{
    return re + im * I;
}

double scipy_cblas_ddot64_(int64_t n, const double* x, int64_t inc_x, const double* y,
                           int64_t inc_y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += x[i * inc_x] * y[i * inc_y];
    return sum;
}

/* The name of no routine of BLAS or LAPACK: of a library that has OpenBLAS inside. */
void scipy_dsolve_64_(void (*inside)(int threads, void* data), void* data)
{
    inside(blas_cpu_number, data);
}

void scipy_openblas_run64_(void (*inside)(int threads, void* data), void* data)
{
    inside(blas_cpu_number, data);
}

/* The sum of so many more arguments than there can be. */
int64_t scipy_duncsd_64_(int64_t count, ...)
{
    va_list all;
    va_start(all, count);
    int64_t sum = 0;
    for (int64_t i = 0; i < count; ++i)
        sum += va_arg(all, int64_t);
    va_end(all);
    return sum;
}

/* By their sizes it is told that they have little to do. */
void scipy_cblas_dgemm64_(int order, int a, int b, int64_t m, int64_t n, int64_t k,
                          void (*inside)(int threads, void* data), void* data)
{
    (void)(order + a + b + m + n + k);
    inside(blas_cpu_number, data);
}

void scipy_dgemm_64_(const char* a, const char* b, const int64_t* m, const int64_t* n,
                     const int64_t* k, const double* one, void (*inside)(int threads, void* data),
                     void* data)
{
    (void)a, (void)b, (void)m, (void)n, (void)k, (void)one;
    inside(blas_cpu_number, data);
}
