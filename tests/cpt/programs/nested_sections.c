#include <omp.h>
#include <stdio.h>
int main(void)
{
    int last = -1, fp = 5, a = 0, b = 0, c = 0, levels = 0, inner = 0;
    int grid[3][4] = {{0}};
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
#pragma omp parallel sections lastprivate(last) firstprivate(fp) num_threads(3)
    {
        {
            a = fp + 1; /* not changed: one thread may execute several */
            last = 1;
        }
#pragma omp section
        {
            b = fp + 2;
            last = 2;
            for (int i = 0; i < 3; i++) {
                if (i == 1)
                    break;
                b++;
            }
        }
#pragma omp section
        {
            c = 9;
            last = 3;
        }
    }
#pragma omp parallel num_threads(3) reduction(+ : inner)
    {
        int me = omp_get_thread_num();
#pragma omp parallel num_threads(4) shared(me)
        {
            int mine = omp_get_thread_num();
            grid[me][mine] = me * 10 + mine + omp_get_ancestor_thread_num(1);
#pragma omp barrier
#pragma omp for schedule(dynamic) reduction(+ : inner)
            for (int i = 0; i < 8; i++)
                inner += i;
#pragma omp single
            if (me == 0)
                levels = omp_get_level() * 10 + omp_get_team_size(2);
        }
    }
    int s = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            s = s * 2 + grid[i][j];
    printf("%d %d %d %d %d %d %d %d\n", last, fp, a, b, c, inner, levels, s);
    return 0;
}
