/* Loops with ordered regions, equal distributions of equal loops, regions that are a loop, and
 * reductions. */
#include "check.h"

#include <omp.h>

static void in_order(void)
{
    int last = -1, bad = 0;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 1000; i++) {
#pragma omp ordered
        {
            bad += i != last + 1;
            last = i;
        }
    }
    CHECK(bad == 0 && last == 999);
    last = -1;
#pragma omp parallel for ordered schedule(guided, 2)
    for (int i = 0; i < 500; i++) {
        /* Not every iteration has an ordered region. */
        if (i % 3 == 0) {
#pragma omp ordered
            {
                bad += i <= last;
                last = i;
            }
        }
    }
    CHECK(bad == 0 && last == 498);
    last = 1000;
#pragma omp parallel for ordered schedule(static)
    for (int i = 999; i >= 0; i--) {
#pragma omp ordered
        {
            bad += i != last - 1;
            last = i;
        }
    }
    CHECK(bad == 0 && last == 0);
    omp_set_schedule(omp_sched_static, 4);
    last = -1;
#pragma omp parallel for ordered schedule(runtime)
    for (int i = 0; i < 333; i++) {
#pragma omp ordered
        {
            bad += i != last + 1;
            last = i;
        }
    }
    CHECK(bad == 0 && last == 332);
}

/* schedule(static) gives the same iterations to the same members in loops of equal length, in line
 * or not. */
static void same_distribution(void)
{
    enum { length = 103 };
    static int owner[length];
    int bad = 0;
    omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel reduction(+ : bad)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < length; i++)
            owner[i] = omp_get_thread_num();
#pragma omp for schedule(runtime)
        for (int i = 0; i < length; i++)
            bad += owner[i] != omp_get_thread_num();
    }
    CHECK(bad == 0);
    omp_set_schedule(omp_sched_static, 5);
#pragma omp parallel reduction(+ : bad)
    {
#pragma omp for schedule(static, 5)
        for (int i = 0; i < length; i++)
            owner[i] = omp_get_thread_num();
#pragma omp for schedule(runtime)
        for (int i = 0; i < length; i++)
            bad += owner[i] != omp_get_thread_num();
    }
    CHECK(bad == 0);
}

/* Regions that are a loop, which gcc begins with the region. */
static void whole_regions(void)
{
    long sum = 0, last = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(auto) reduction(+ : sum) lastprivate(last)
        for (long i = 0; i < 1000; i++) {
            sum += i;
            last = i;
        }
    }
    CHECK(sum == 499500 && last == 999);
#pragma omp parallel num_threads(5)
    {
#pragma omp for schedule(auto) reduction(+ : sum) lastprivate(last)
        for (long i = 100; i > -100; i -= 3) {
            sum -= i;
            last = i;
        }
    }
    CHECK(sum == 499500 - 67 && last == -98);
}

int main(void)
{
    in_order();
    same_distribution();
    whole_regions();

    double sum = 0;
    long product = 1;
    int least = 1000;
#pragma omp parallel for reduction(+ : sum) reduction(* : product) reduction(min : least) \
    schedule(dynamic, 8)
    for (int i = 1; i <= 1000; i++) {
        sum += i;
        if (i <= 15)
            product *= i;
        if (i % 13 == 5 && i < least)
            least = i;
    }
    printf("%.0f %ld %d\n", sum, product, least);
    return finish("ordered_loops");
}
