/* deterministic.c — with KMP_DETERMINISTIC_REDUCTION sums are the same in every run of a loop, to
 * the last bit. */
#include "check.h"

#include <omp.h>

enum { members = 6, rounds = 300 };

/* Rounded differently in each order of the members. */
static double term(int i)
{
    return i % 3 == 0 ? 1e16 : i % 3 == 1 ? 1.0 / (i + 3) : -1e16 + i;
}

static double sum_of_region(int round)
{
    double sum = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum)
    {
        if (omp_get_thread_num() == round % members) {
            usleep(50);
        }
        sum = term(omp_get_thread_num()) + 0.1 * omp_get_thread_num();
    }
    return sum;
}

static double sum_of_loops(int round)
{
    double sum = 0, other = 0;
    long count = 0;
#pragma omp parallel num_threads(members)
    {
#pragma omp for schedule(static) reduction(+ : sum, count) nowait
        for (int i = 0; i < 100; ++i) {
            sum += term(i);
            ++count;
        }
        if (omp_get_thread_num() == round % members) {
            usleep(50);
        }
#pragma omp for schedule(static, 3) reduction(+ : other)
        for (int i = 0; i < 100; ++i) {
            other += 1.0 / (i + 1);
        }
    }
    CHECK(count == 100);
    return sum + other;
}

int main(void)
{
    const double first = sum_of_region(0), first_loops = sum_of_loops(0);
    for (int round = 0; round < rounds; ++round) {
        CHECK(sum_of_region(round) == first);
        CHECK(sum_of_loops(round) == first_loops);
    }
    return finish("deterministic");
}
