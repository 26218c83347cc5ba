/* For the test of the gdb helper: an OpenMP team of four; member 0 stops in stop_here() while the
 * others wait in the barrier. */
#include <omp.h>
#include <unistd.h>

__attribute__((noinline)) void stop_here(void)
{
    __asm__ volatile("" ::: "memory");
}

int main(void)
{
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            usleep(200000);
            stop_here();
        }
#pragma omp barrier
    }
    return 0;
}
