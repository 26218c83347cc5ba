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
    /* A pause gives up the copies of all but the initial thread. */
    for (int kind = 1; kind <= 2; kind++) {
#pragma omp parallel num_threads(4)
        counter = 100 * kind + omp_get_thread_num();
        int done = kind == 1 ? omp_pause_resource(omp_pause_soft, omp_get_initial_device())
                             : omp_pause_resource_all(omp_pause_hard);
        int seen[4] = {0};
#pragma omp parallel num_threads(4)
        seen[omp_get_thread_num()] = counter;
        printf("pause %d: %d; %d %d %d %d\n", kind, done, seen[0], seen[1], seen[2], seen[3]);
    }
    return 0;
}
