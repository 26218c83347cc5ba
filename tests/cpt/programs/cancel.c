#include <omp.h>
#include <stdio.h>
int main(void)
{
    int found = -1, n = 0, after = 0, sec = 0, a = 0, loops = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 1000; i++) {
            if (i == 50) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
#pragma omp cancellation point for
#pragma omp atomic
            loops++;
        }
#pragma omp single
        after++;
#pragma omp sections
        {
#pragma omp section
            {
                sec = 1;
#pragma omp cancel sections
            }
        }
#pragma omp for reduction(task, + : a)
        for (int i = 0; i < 64; i++) {
            a++;
#pragma omp task in_reduction(+ : a)
            a += 2;
        }
    }
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
#pragma omp for reduction(+ : n)
        for (int i = 0; i < 8; i++)
            n += i;
        if (me == 2) {
#pragma omp cancel parallel
        }
#pragma omp barrier
#pragma omp atomic
        after += 100 * omp_get_cancellation();
    }
    int done = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; i++)
#pragma omp task
    {
#pragma omp cancellation point taskgroup
#pragma omp atomic
        done++;
        if (done == 5) {
#pragma omp cancel taskgroup
        }
    }
    printf("%d %d %d %d %d %d\n", found, omp_get_cancellation() ? loops < 1000 : loops == 1000,
           after, sec, a, n);
    return 0;
}
