// Regions nested eight deep, two members and a barrier at each level: 256 leaves.
#include <omp.h>
#include <stdio.h>

static long leaves;

static void descend(int depth)
{
    if (depth == 0) {
#pragma omp atomic
        leaves++;
        return;
    }
#pragma omp parallel num_threads(2)
    {
        descend(depth - 1);
#pragma omp barrier
    }
}

int main(void)
{
    omp_set_max_active_levels(8);
    for (int i = 0; i < 5; i++) {
        leaves = 0;
        descend(8);
        if (leaves != 256) {
            return 1;
        }
    }
    puts("256 leaves");
    return 0;
}
