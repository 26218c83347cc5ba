/* Directives that promise something or say nothing, and those that say something on the way. */
#include <stdlib.h>
#pragma omp assumes no_openmp_routines
#pragma omp begin assumes holds(1)
static int plus(int n)
{
    int sum = 0;
#pragma omp assume holds(n > 0) no_parallelism
    {
        sum += n;
    }
#pragma omp nothing
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp assume no_openmp
#pragma omp nothing
        sum++;
    }
    return sum;
}
#pragma omp end assumes
int main(void)
{
    const char* const said = "#pragma omp nothing";
    if (plus(4) != 12 || said[12] != 'n')
        abort();
#pragma omp error at(execution) severity(warning) message("early")
    if (said == NULL) {
#pragma omp error at(execution)
    }
    return 0;
}
