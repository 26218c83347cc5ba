/* Directives in directives, copies of copies, variables of the file that have a private copy, names
 * that hide each other. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
int file_wide = 5, other = 7;
static void name(const char* function)
{
#pragma omp parallel num_threads(2)
    if (strcmp(__func__, "name") != 0 || strcmp(function, "main") != 0)
        abort();
}
int main(void)
{
    int x = 1, seen = 0;
    name(__func__);
#pragma omp parallel num_threads(2) private(file_wide) firstprivate(other)
    {
        int y = omp_get_thread_num();
        file_wide = 10 + y;
        other += y;
#pragma omp parallel num_threads(3) shared(y) reduction(+ : seen)
        {
            int x = y;
            seen += file_wide + x + other;
        }
#pragma omp task firstprivate(other)
        {
            int z = other++;
            if (z != 7 + y)
                abort();
#pragma omp task firstprivate(z) shared(other)
            if (other != z + 1)
                abort();
#pragma omp taskwait
        }
#pragma omp taskwait
        if (other != 7 + y)
            abort();
    }
    /* (10 + 0 + 7) * 3 + (11 + 1 + 8) * 3; the inner reductions reach `seen` through the shared
     * outer one. */
    if (seen != 111 || file_wide != 5 || other != 7 || x != 1)
        abort();
#pragma omp parallel for firstprivate(x) lastprivate(x) num_threads(3)
    for (int i = 0; i < 10; i++)
#pragma omp parallel for lastprivate(x) num_threads(2)
        for (int j = 0; j <= i; j++)
            x = i * 10 + j;
    if (x != 99)
        abort();
    return 0;
}
