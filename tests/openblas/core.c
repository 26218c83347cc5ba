/* An OpenBLAS as Debian has it: entry points are in libraries of their own, in front of it. */
#include <pthread.h>

int blas_cpu_number;
int exec_blas(long jobs, void* queue)
{
    (void)queue;
    return (int)jobs;
}

static void nothing(void) {}

__attribute__((constructor)) static void start(void)
{
    pthread_atfork(nothing, nothing, nothing);
    blas_cpu_number = 4;
}

void openblas_set_num_threads(int threads)
{
    blas_cpu_number = threads < 1 ? 4 : threads;
}
