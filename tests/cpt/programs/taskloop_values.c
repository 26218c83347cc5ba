/* Each task of a taskloop begins with the values of its creator's variables, whatever other tasks
 * have done to theirs: also tasks that are executed at once, one after another. */
#include <stdio.h>
static int a_bad;
static void count(int bad)
{
#pragma omp atomic
    a_bad += bad;
}
static void here(int when)
{
    int x = 7, a[3] = {1, 2, 3};
#pragma omp taskloop firstprivate(x, a) num_tasks(5) if (when)
    for (int i = 0; i < 5; i++) {
        count(x != 7 || a[1] != 2);
        x = a[1] = 100 + i;
    }
#pragma omp taskloop firstprivate(x) grainsize(strict : 2) if (when) final(!when)
    for (int i = 0; i < 9; i++) {
        count(i % 2 == 0 && x != 7);
        x = i;
    }
}
int main(void)
{
    int x = 7;
    here(1); /* a team of one */
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        here(0);
        here(1);
        /* More than wait to be executed. */
#pragma omp taskloop firstprivate(x) num_tasks(2000)
        for (int i = 0; i < 2000; i++) {
            count(x != 7);
            x = i;
        }
    }
    printf("%d\n", a_bad);
    return 0;
}
