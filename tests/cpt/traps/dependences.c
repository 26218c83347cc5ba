/* omp_all_memory, and members that wait for each other by looking again and again where there are
 * fewer streams than members. */
#include <omp.h>
#include <stdlib.h>
static int x, y, z, wrong;
static void check(int right)
{
    if (!right) {
#pragma omp atomic
        wrong++;
    }
}
static void round_of(int r)
{
#pragma omp task depend(out : x)
    x = r;
#pragma omp task depend(out : y)
    y = r;
#pragma omp task depend(in : x)
    check(x == r);
#pragma omp task depend(inoutset : z)
    check(z == -1 || r == 0);
#pragma omp task depend(out : omp_all_memory)
    {
        check(x == r && y == r);
        x = y = z = -1;
    }
#pragma omp task depend(in : z)
    check(z == -1);
#pragma omp task depend(in : x)
    check(x == -1);
#pragma omp task depend(inout : x)
    check(x-- == -1);
#pragma omp taskwait depend(inout : omp_all_memory)
    check(x == -2 && y == -1);
}
int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int r = 0; r < 30; r++)
        round_of(r);
    if (wrong != 0)
        abort();
    int went = 0;
#pragma omp parallel num_threads(8)
    {
        if (omp_get_thread_num() == 7) {
#pragma omp cancel parallel
        }
        for (;;) {
#pragma omp cancellation point parallel
#pragma omp atomic
            went++;
        }
    }
    return 0;
}
