#include <omp.h>
#include <stdio.h>
typedef struct {
    double x[4];
    int n;
} state;
static state g_state;
int counter = 7;
#pragma omp threadprivate(g_state, counter)
extern int counter;
static int bump(int by)
{
    static int calls;
#pragma omp threadprivate(calls)
    calls += by;
    return calls;
}
int main(void)
{
    int sum = 0, ok = 1;
    omp_set_dynamic(0);
    g_state.n = 3;
    g_state.x[2] = 2.5;
    counter = 11;
#pragma omp parallel num_threads(4) copyin(g_state, counter) reduction(+ : sum) reduction(&& : ok)
    {
        ok = ok && g_state.n == 3 && g_state.x[2] == 2.5 && counter == 11;
        counter += omp_get_thread_num();
        g_state.x[0] = counter;
        for (int i = 0; i <= omp_get_thread_num(); i++)
            bump(1);
        sum += bump(0);
    }
#pragma omp parallel num_threads(4) reduction(+ : sum) reduction(&& : ok)
    {
        ok = ok && counter == 11 + omp_get_thread_num() && g_state.x[0] == counter;
        sum += 100 * bump(0);
#pragma omp single copyprivate(counter)
        counter = 55;
        ok = ok && counter == 55;
    }
    printf("%d %d\n", sum, ok);
    return 0;
}
