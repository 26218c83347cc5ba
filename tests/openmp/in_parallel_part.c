/* A library that is not linked to any OpenMP runtime and refers to omp_in_parallel without a
   version: with -DREFERENCE= as Intel's MKL does, with -DREFERENCE='__attribute__((weak))' as
   pthread builds of OpenBLAS do. */
extern int omp_in_parallel(void) REFERENCE;

int answer(void)
{
    return omp_in_parallel ? omp_in_parallel() != 0 : -1;
}
