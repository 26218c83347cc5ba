/* A library that looks like an OpenBLAS of SYMBOLSUFFIX=64: its setter for Fortran has the name
   that the one for C has in builds with the suffix _64. Which of the two comes first among its
   symbols depends on their number. */
#include <pthread.h>

int blas_cpu_number;

static void nothing(void) {}

__attribute__((constructor)) static void start(void)
{
    pthread_atfork(nothing, nothing, nothing);
    blas_cpu_number = 4;
}

int exec_blas(long jobs, void* queue)
{
    (void)queue;
    return (int)jobs;
}

void openblas_set_num_threads64(int threads)
{
    blas_cpu_number = threads < 1 ? 4 : threads;
}

void openblas_set_num_threads_64(const int* threads)
{
    openblas_set_num_threads64(*threads);
}

int openblas_get_num_threads64(void)
{
    return blas_cpu_number;
}

char* openblas_get_config64(void)
{
    return "stand-in";
}

void dsymm_64(void (*inside)(void))
{
    inside();
}

void cblas_dsymm64(void (*inside)(void))
{
    inside();
}

#define OTHER(n)        \
    int other_##n(void) \
    {                   \
        return n;       \
    }
#define OTHERS(n) \
    OTHER(n##0)   \
    OTHER(n##1)   \
    OTHER(n##2)   \
    OTHER(n##3)   \
    OTHER(n##4)   \
    OTHER(n##5)   \
    OTHER(n##6)   \
    extern int blas_cpu_number

#if MORE > 0
OTHERS(1);
#endif
#if MORE > 1
OTHERS(2);
#endif
#if MORE > 2
OTHERS(3);
#endif
