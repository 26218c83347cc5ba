/* Names in clauses and heads mean what they mean before the construct, also where it has copies,
 * counters or iterators of the same name. */
#include <omp.h>
#include <stdio.h>
static int who[40];
static void print(const char* name)
{
    printf("%s ", name);
    for (int i = 0; i < 40; i++) {
        printf("%d", who[i]);
        who[i] = 0;
    }
    printf("\n");
}
static void chunk_of_counter(int i)
{
#pragma omp for schedule(static, i)
    for (i = 0; i < 40; i++)
        who[i] = omp_get_thread_num();
}
static void chunk_of_private(int n)
{
#pragma omp for schedule(static, n) private(n)
    for (int i = 0; i < 40; i++) {
        n = omp_get_thread_num();
        who[i] = n;
    }
}
static void chunk_of_teams(int i, int n)
{
#pragma omp distribute dist_schedule(static, n) private(n)
    for (i = 0; i < 40; i++) {
        n = omp_get_team_num();
        who[i] = n;
    }
}
static int cell[8], seen;
/* The sum is right only if the task waits for those that write. */
static void iterator_of_parameter(int i)
{
#pragma omp task depend(iterator(i = 0 : i), in : cell[i])
    seen = cell[0] + cell[1] + cell[2] + cell[3];
}
static void iterator_of_step(int n, int step)
{
#pragma omp task depend(iterator(int step = n - 1 : -1 : -step), in : cell[step])
    seen += 10 * (cell[7] + cell[5]);
}
static void iterators(void)
{
    for (int k = 0; k < 8; k++) {
#pragma omp task depend(out : cell[k])
        {
            for (volatile int w = 0; w < 300000; w++)
                ;
            cell[k] = 1;
        }
    }
    iterator_of_parameter(4);
#pragma omp taskwait
    for (int k = 0; k < 8; k++) {
#pragma omp task depend(out : cell[k])
        {
            for (volatile int w = 0; w < 300000; w++)
                ;
            cell[k] = 2;
        }
    }
    iterator_of_step(8, 2);
#pragma omp taskwait
}
static int bound_like_counter(int j)
{
    int c = 0;
#pragma omp parallel for collapse(2) reduction(+ : c) num_threads(2)
    for (int i = 0; i < j; i++)
        for (int j = i; j < 6; j++)
            c += 10 + i + j;
    return c;
}
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    iterators();
    printf("%d\n", seen);
    printf("%d\n", bound_like_counter(4));
#pragma omp parallel num_threads(2)
    chunk_of_counter(4);
    print("counter");
#pragma omp parallel num_threads(3)
    chunk_of_private(5);
    print("private");
#pragma omp teams num_teams(3)
    chunk_of_teams(1, 5);
    print("teams");
    return 0;
}
