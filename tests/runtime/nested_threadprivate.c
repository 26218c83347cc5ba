// Thread-local data of nested teams: 2 members, each with a team of 4 that meet at a barrier.
#include <omp.h>
#include <stdio.h>

static int own = -1;
#pragma omp threadprivate(own)

int main(void)
{
    int mismatches = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : mismatches)
    {
#pragma omp parallel num_threads(4) reduction(+ : mismatches)
        {
            const int me = omp_get_ancestor_thread_num(1) * 4 + omp_get_thread_num();
            own = me;
#pragma omp barrier
            mismatches += own != me;
        }
    }
    printf("mismatches %d\n", mismatches);
    return mismatches != 0;
}
