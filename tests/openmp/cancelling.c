/* Cancellation; run with OMP_CANCELLATION=true. */
#include "check.h"

#include <omp.h>

int main(void)
{
    CHECK(omp_get_cancellation() == 1);
    for (int round = 0; round < 50; round++) {
        long executed = 0;
#pragma omp parallel
        {
#pragma omp for schedule(dynamic) reduction(+ : executed)
            for (int i = 0; i < 100000; i++) {
                executed++;
                if (i == 50) {
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
            /* The next loop is not affected. */
#pragma omp for schedule(static) reduction(+ : executed)
            for (int i = 0; i < 100; i++) {
                executed++;
#pragma omp cancellation point for
            }
        }
        CHECK(executed >= 100 && executed < 100100);

        int sections = 0;
#pragma omp parallel
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                sections++;
#pragma omp cancel sections
            }
#pragma omp section
#pragma omp atomic
            sections++;
#pragma omp section
#pragma omp atomic
            sections++;
        }
        CHECK(sections >= 1 && sections <= 3);

        int beyond = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == omp_get_num_threads() / 2) {
#pragma omp cancel parallel
            }
#pragma omp barrier
#pragma omp cancellation point parallel
#pragma omp atomic
            beyond++;
        }
        CHECK(beyond == 0);

        /* After a cancelled region everything is as before. */
        int sum = 0;
#pragma omp parallel
        {
#pragma omp single
            sum += 1000;
#pragma omp for schedule(dynamic) reduction(+ : sum)
            for (int i = 0; i < 10; i++)
                sum += i;
        }
        CHECK(sum == 1045);
    }
    return finish("cancelling");
}
