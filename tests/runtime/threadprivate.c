// Thread-local data go with the member, not with the worker that carries it: 4 members on 2
// workers, 2000 regions with 3 barriers each, and errno, which is thread-local too, over every
// barrier.
#include <errno.h>
#include <omp.h>
#include <stdio.h>

static int own = -1;
#pragma omp threadprivate(own)
static __thread int plain = -1;

int main(void)
{
    long mismatches = 0;
#pragma omp parallel num_threads(4)
    {
        own = omp_get_thread_num();
        plain = own;
    }
    for (int region = 0; region < 2000; region++) {
#pragma omp parallel num_threads(4) reduction(+ : mismatches)
        {
            const int me = omp_get_thread_num();
            for (int i = 0; i < 3; i++) {
                mismatches += own != me || plain != me;
                errno = me + 100;
#pragma omp barrier
                mismatches += errno != me + 100;
            }
        }
    }
    printf("mismatches %ld\n", mismatches);
    return mismatches != 0;
}
