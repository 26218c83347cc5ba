/* ompt_program.c — constructs in numbers that ompt_test.py knows, for the tool to count.
 * `./ompt_program ROUNDS`; regions of THREADS members, leagues of TEAMS teams. */
#include "check.h"

#include <omp.h>

enum { threads = 4, tasks = 50, iterations = 400, teams = 3 };

int main(int argc, char** argv)
{
    /* The first thing that the runtime hears of. */
    int first = 0;
#pragma omp task shared(first)
    first = 1;
#pragma omp taskwait
    CHECK(first == 1);
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    long sum = 0, looped = 0, locked = 0, critical = 0, inner = 0, teams_members = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int r = 0; r < rounds; ++r) {
#pragma omp parallel num_threads(threads)
        {
#pragma omp for schedule(dynamic, 10) reduction(+ : looped)
            for (int i = 0; i < iterations; ++i)
                looped += i;
#pragma omp single
            for (int i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(i)
                {
#pragma omp atomic
                    sum += i;
                }
            }
#pragma omp barrier
            omp_set_lock(&lock);
            ++locked;
            omp_unset_lock(&lock);
#pragma omp critical
            ++critical;
#pragma omp parallel num_threads(2)
            {
#pragma omp atomic
                ++inner;
            }
        }
        int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp task depend(out : x) shared(x)
            x = 1;
#pragma omp task depend(in : x) shared(x)
            CHECK(x == 1);
#pragma omp taskwait
        }
#pragma omp teams num_teams(teams)
        {
#pragma omp parallel num_threads(2)
            {
#pragma omp atomic
                ++teams_members;
            }
        }
    }
    omp_destroy_lock(&lock);
    CHECK(sum == (long)rounds * tasks * (tasks - 1) / 2);
    CHECK(looped == (long)rounds * iterations * (iterations - 1) / 2);
    CHECK(locked == (long)rounds * threads && critical == locked && inner == 2 * locked);
    CHECK(teams_members == (long)rounds * teams * 2);
    return finish("ompt_program");
}
