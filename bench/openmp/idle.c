/* idle.c — CPU use of a process between two regions: a team has been made and main sleeps. */
#include "../measure/idle.h"
#include "openmp.h"

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    omp_set_dynamic(0);
    for (int i = 0; i < 100; ++i) {
#pragma omp parallel num_threads(options.threads)
        __asm__ volatile("" ::: "memory");
    }
    idle_print(&options, openmp_extra(""));
    return 0;
}
