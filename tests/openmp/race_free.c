/* race_free.c — for race_test.py, compiled with ThreadSanitizer: every kind of synchronisation, and
 * what would be races without it. */
#include <omp.h>
#include <stdio.h>

enum { size = 500, rounds = 5, members = 4 };
static int data[size];

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static int loops_and_barriers(int round, omp_lock_t* lock)
{
    long sum = 0;
    int in_critical = 0, locked = 0, once = 0, first = 0, wrong = 0;
#pragma omp parallel num_threads(members) reduction(+ : wrong)
    {
#pragma omp for
        for (int i = 0; i < size; i++)
            data[i] = i + round;
#pragma omp for reduction(+ : sum) schedule(dynamic, 7)
        for (int i = 0; i < size; i++)
            sum += data[size - 1 - i];
#pragma omp critical
        in_critical++;
        omp_set_lock(lock);
        locked++;
        omp_unset_lock(lock);
#pragma omp barrier
#pragma omp single
        once = in_critical + locked;
        wrong += once != 2 * members;
#pragma omp barrier
#pragma omp master
        first = once;
#pragma omp barrier
        wrong += first != once;
#pragma omp for ordered
        for (int i = 0; i < 20; i++) {
#pragma omp ordered
            in_critical += i;
        }
#pragma omp sections
        {
#pragma omp section
            first = 1;
#pragma omp section
            once = 1;
        }
        wrong += first + once != 2;
    }
    return wrong + (sum != (long)size * (size - 1) / 2 + (long)size * round);
}

static int tasks(void)
{
    int chained = 0, wrong = 0, grouped = 0;
    long f = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : chained) shared(chained)
            chained++;
        }
#pragma omp task depend(in : chained) shared(chained, wrong)
        wrong += chained != 10;
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task shared(grouped)
            {
#pragma omp task shared(grouped)
                grouped = 5;
            }
        }
        wrong += grouped != 5;
#pragma omp taskloop grainsize(20)
        for (int i = 0; i < size; i++)
            data[i] = -i;
        f = fib(7);
    }
    for (int i = 0; i < size; i++)
        wrong += data[i] != -i;
    return wrong + (f != 13);
}

static int nested_and_leagues(void)
{
    long sum = 0;
    int wrong = 0, inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
    {
        int own = 0;
#pragma omp parallel num_threads(2) reduction(+ : own)
        own++;
        inner += own;
    }
#pragma omp teams distribute parallel for num_teams(3) num_threads(2) reduction(+ : sum)
    for (int i = 0; i < size; i++) {
        data[i] = 2 * i;
        sum += data[i];
    }
#pragma omp teams num_teams(3) reduction(+ : sum)
    sum++;
    for (int i = 0; i < size; i++)
        wrong += data[i]++ != 2 * i;
    return wrong + (inner != 4) + (sum <= (long)size * (size - 1));
}

int main(void)
{
    int wrong = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int r = 0; r < rounds; r++)
        wrong += loops_and_barriers(r, &lock) + tasks() + nested_and_leagues();
    omp_destroy_lock(&lock);
    printf("race_free: %s\n", wrong == 0 ? "good" : "BAD");
    return wrong != 0;
}
