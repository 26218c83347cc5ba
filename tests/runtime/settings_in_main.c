// Settings that a program makes in main come too late: they were read when the library was loaded.
// Prints which of them are in force all the same.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    setenv("OMP_NUM_THREADS", "7", 1);
    setenv("OMP_THREAD_LIMIT", "6", 1);
    int members = 0;
#pragma omp parallel reduction(+ : members)
    members++;
    printf("%d %d %d\n", members == 7, omp_get_max_threads() == 7, omp_get_thread_limit() == 6);
    return 0;
}
