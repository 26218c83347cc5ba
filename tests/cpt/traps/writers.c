/* Variables that somebody else writes while a region runs which only reads them: a section, a
 * thread of the region around, a task that was made before. Their values must not be taken when the
 * region begins. */
#include <stdlib.h>
static int wait_for(int* flag)
{
    int seen;
    do {
#pragma omp atomic read
        seen = *flag;
#pragma omp taskyield
    } while (!seen);
    return seen;
}
int main(void)
{
    int flag = 0, told = 0, late = 0, own = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
#pragma omp parallel num_threads(1)
            {
                int seen;
                do {
#pragma omp atomic read
                    seen = flag;
                } while (!seen);
            }
        }
#pragma omp section
        {
#pragma omp atomic write
            flag = 1;
        }
    }
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp single
        {
#pragma omp task shared(told)
            {
#pragma omp atomic write
                told = 2;
            }
#pragma omp parallel num_threads(1)
            {
                int seen;
                do {
#pragma omp atomic read
                    seen = told;
                } while (!seen);
            }
        }
        mine = 5;
#pragma omp parallel num_threads(2) reduction(+ : own)
        own += mine;
        mine = 7;
    }
    if (flag != 1 || told != 2 || own != 20)
        abort();
#pragma omp parallel num_threads(2) shared(late)
    {
#pragma omp single nowait
        {
#pragma omp atomic write
            late = 1;
        }
        (void)wait_for(&late);
    }
    return 0;
}
