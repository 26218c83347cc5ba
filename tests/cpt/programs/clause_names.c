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
int main(void)
{
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
