/* Each task of a taskloop begins with the values of its creator's variables, whatever other tasks
 * have done to theirs: also tasks that are executed at once, one after another, and where the last
 * piece gives the variable a new value. */
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
static struct {
    int tag;
    int v[3];
} of_file = {3, {1, 2, 3}};
static void with_last(void)
{
    int x = 7, a[3] = {1, 2, 3};
#pragma omp taskloop firstprivate(x, a, of_file) lastprivate(x, a, of_file) num_tasks(8)
    for (int i = 0; i < 64; i++) {
        count(i % 8 == 0 && (x != 7 || a[1] != 2 || of_file.tag != 3 || of_file.v[2] != 3));
        x = a[1] = of_file.v[2] = 1000 + i;
    }
    count(x != 1063 || a[1] != 1063 || a[2] != 3 || of_file.v[2] != 1063 || of_file.v[1] != 2);
    of_file.v[2] = 3;
}
int main(void)
{
    int x = 7;
    here(1); /* a team of one */
    with_last();
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        here(0);
        here(1);
        for (int i = 0; i < 50; i++)
            with_last();
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
