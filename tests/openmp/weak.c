/* Like the pthread builds of OpenBLAS: an unversioned weak reference from code that is not linked to any OpenMP runtime. The preloaded library must
   not satisfy it. */
#include <stdio.h>

extern int omp_in_parallel(void) __attribute__((weak));

int main(void)
{
    printf("omp_in_parallel is %s\n", omp_in_parallel ? "visible" : "not visible");
    return omp_in_parallel != 0;
}
