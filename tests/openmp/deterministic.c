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

/* Members that leave a loop do not come to its reduction: nobody waits for them. Under Artel with
 * OMP_CANCELLATION only. */
static void cancelled_loops(int round)
{
    double sum = 0, later = 0;
    long came = 0;
#pragma omp parallel num_threads(members)
    {
#pragma omp for schedule(static) reduction(+ : sum)
        for (int i = 0; i < 100; ++i) {
            if (i == 7 * (round % 14)) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
            sum += 1;
        }
#pragma omp for schedule(static) reduction(+ : later)
        for (int i = 0; i < 100; ++i) {
            later += 1;
        }
#pragma omp atomic
        ++came;
    }
    CHECK(sum < 100 && later == 100 && came == members);
}

static void cancelled_regions(int round)
{
    long sum = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum)
    {
        if (omp_get_thread_num() == round % members) {
#pragma omp cancel parallel
        }
        sum = 1;
    }
    CHECK(sum < members);
}

int main(void)
{
    if (omp_get_cancellation() && getenv("UNDER_ARTEL") != NULL) {
        for (int round = 0; round < rounds; ++round) {
            cancelled_loops(round);
            cancelled_regions(round);
        }
    }
    const double first = sum_of_region(0), first_loops = sum_of_loops(0);
    for (int round = 0; round < rounds; ++round) {
        CHECK(sum_of_region(round) == first);
        CHECK(sum_of_loops(round) == first_loops);
    }
    return finish("deterministic");
}
