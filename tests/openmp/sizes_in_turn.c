/* Members of a small team are on workers of their own whatever sizes came before: after teams of
 * eight on two workers, a team of two is not both on one. Counts how often they were seen on
 * different OS threads. Others carry a member while its own worker has no CPU, for milliseconds on
 * a loaded machine; so not every region has to do, nor every row of them. (When all sizes were
 * spread in blocks it was at most 24 of 2000.) */
#include "check.h"

#include <omp.h>
#include <sys/syscall.h>

enum { before = 50, regions = 2000, attempts = 100 };

static int apart_after(int size)
{
    int apart = 0;
    for (int i = 0; i < before; ++i) {
#pragma omp parallel num_threads(size)
        __asm__ volatile("");
    }
    for (int i = 0; i < regions; ++i) {
        long on[2] = {0, 0};
#pragma omp parallel num_threads(2)
        on[omp_get_thread_num()] = syscall(SYS_gettid);
        apart += on[0] != on[1];
    }
    return apart;
}

int main(void)
{
    omp_set_dynamic(0);
    /* The largest first: it was the first size of the process that decided. */
    for (int size = 16; size >= 2; size /= 2) {
        int apart = 0;
        for (int attempt = 0; attempt < attempts && apart < regions / 2; ++attempt)
            apart = apart_after(size);
        fprintf(stderr, "after teams of %d: apart in %d of %d\n", size, apart, regions);
        CHECK(apart >= regions / 2);
    }
    return finish("sizes in turn");
}
