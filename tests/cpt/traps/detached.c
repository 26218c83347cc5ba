/* Events of tasks for which their creator waits, and a wait for dependences that does not wait. */
#include <omp.h>
#include <stdlib.h>
static omp_event_handle_t event;
static int begun;
static int has_begun(void)
{
    int value;
#pragma omp atomic read seq_cst
    value = begun;
    return value;
}
static void undeferred(int when)
{
    int waited = 0;
    begun = 0;
    event = (omp_event_handle_t)0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task detach(event) if (when) final(when)
            {
#pragma omp atomic write seq_cst
                begun = 1;
            }
#pragma omp taskwait
            waited = 1;
        } else {
            while (!has_begun()) {
#pragma omp taskyield
            }
            if (event == (omp_event_handle_t)0)
                abort();
            omp_fulfill_event(event);
        }
    }
    if (!waited)
        abort();
}
static void no_wait(void)
{
    int x = 0, y = 0, order = 0;
    omp_event_handle_t own;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task detach(own) depend(out : x)
        x = 1;
#pragma omp taskwait depend(in : x) depend(out : y) nowait
#pragma omp task depend(in : y) shared(order)
        order = x + 1;
        y = 1;
        if (order != 0)
            abort();
        omp_fulfill_event(own);
#pragma omp taskwait
        if (x != 1 || y != 1 || order != 2)
            abort();
    }
}
int main(void)
{
    undeferred(0);
    undeferred(1);
    no_wait();
    return 0;
}
