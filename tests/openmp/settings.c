// Says what the runtime's settings are, for kmp_settings_test.py.
#include <omp.h>
#include <stdio.h>

int kmp_get_library(void);
int kmp_get_blocktime(void);

int main(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    printf("schedule %x,%d\n", (unsigned)kind, chunk);
    printf("procs %d max %d dynamic %d\n", omp_get_num_procs(), omp_get_max_threads(),
           omp_get_dynamic());
    printf("library %d blocktime %d\n", kmp_get_library(), kmp_get_blocktime());
    if (omp_get_proc_bind() != omp_proc_bind_false) {
        printf("places %d\n", omp_get_num_places());
    }
#pragma omp parallel num_threads(3)
#pragma omp single
    printf("team %d\n", omp_get_num_threads());
    long sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum) num_threads(3)
    for (int i = 1; i <= 10007; ++i) {
        sum += i;
    }
    printf("sum %ld\n", sum);
    return 0;
}
