/* Regions whose members OMP_DISPLAY_AFFINITY makes report; a line on stderr between them, so that
 * one can tell whose report it is. */
#include <omp.h>
#include <stdio.h>

static void step(const char* name)
{
    fprintf(stderr, "-- %s\n", name);
}

int main(void)
{
    step("one");
#pragma omp parallel num_threads(1)
    ;
    step("two");
#pragma omp parallel num_threads(2)
    ;
    step("two again");
#pragma omp parallel num_threads(2)
    ;
    step("three");
#pragma omp parallel num_threads(3)
    ;
    step("serialized");
#pragma omp parallel if (0)
    ;
    step("three again");
#pragma omp parallel num_threads(3)
    ;
    step("three spread");
#pragma omp parallel num_threads(3) proc_bind(spread)
    ;
    step("primary");
#pragma omp parallel num_threads(3) proc_bind(primary)
    ;
    step("nested");
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
        ;
    }
    step("end");
    return 0;
}
