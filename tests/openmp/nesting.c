/* Nested regions: sizes, levels, ancestors, worksharing in each, ICVs that are inherited. */
#include "check.h"

#include <omp.h>

static void levels(void)
{
    int inner_total = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner_total)
    {
        const int outer = omp_get_thread_num();
        CHECK(omp_get_level() == 1 && omp_get_active_level() == 1 && omp_get_num_threads() == 3);
        CHECK(omp_in_parallel());
#pragma omp parallel num_threads(4) reduction(+ : inner_total)
        {
            inner_total++;
            CHECK(omp_get_level() == 2 && omp_get_num_threads() == 4 && omp_get_team_size(1) == 3);
            CHECK(omp_get_ancestor_thread_num(1) == outer && omp_get_ancestor_thread_num(0) == 0);
            CHECK(omp_get_ancestor_thread_num(2) == omp_get_thread_num() &&
                  omp_get_ancestor_thread_num(3) == -1);
            CHECK(omp_get_team_size(2) == 4 && omp_get_team_size(0) == 1 &&
                  omp_get_team_size(-1) == -1);
#pragma omp parallel num_threads(1)
            {
                CHECK(omp_get_level() == 3 && omp_get_active_level() == 2 &&
                      omp_get_num_threads() == 1);
                CHECK(omp_in_parallel());
                inner_total += omp_get_thread_num();
            }
        }
    }
    printf("members of inner teams: %d\n", inner_total);
#pragma omp parallel if (0)
    {
        CHECK(omp_get_level() == 1 && omp_get_active_level() == 0 && omp_get_num_threads() == 1 &&
              !omp_in_parallel());
    }
    CHECK(omp_get_level() == 0 && !omp_in_parallel());
}

static void loops_in_loops(void)
{
    long sum = 0;
#pragma omp parallel for schedule(dynamic) num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 20; i++) {
        long part = 0;
#pragma omp parallel for schedule(dynamic, 2) num_threads(3) reduction(+ : part)
        for (int j = 0; j < 30; j++) {
            int hits = 0;
#pragma omp parallel num_threads(2)
            {
#pragma omp single
                hits++;
#pragma omp for schedule(guided) reduction(+ : part)
                for (int k = 0; k < 5; k++)
                    part += i * 150 + j * 5 + k;
            }
            CHECK(hits == 1);
        }
        sum += part;
    }
    printf("sum %ld\n", sum);
}

static void inherited(void)
{
    omp_set_schedule(omp_sched_guided, 9);
#pragma omp parallel num_threads(2)
    {
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        CHECK(kind == omp_sched_guided && chunk == 9);
        omp_set_num_threads(5 + omp_get_thread_num());
        CHECK(omp_get_max_threads() == 5 + omp_get_thread_num());
        const int outer = omp_get_thread_num();
#pragma omp parallel
        CHECK(omp_get_num_threads() == 5 + outer);
        omp_set_max_active_levels(1);
#pragma omp parallel num_threads(4)
        CHECK(omp_get_num_threads() == 1 && omp_get_level() == 2);
    }
    const int before = omp_get_max_threads();
#pragma omp parallel
    CHECK(omp_get_num_threads() == before);
}

static int depth_reached;

static void deeper(int depth)
{
    if (depth == 8) {
#pragma omp atomic
        depth_reached++;
        return;
    }
#pragma omp parallel num_threads(2)
    deeper(depth + 1);
}

int main(void)
{
    omp_set_max_active_levels(100);
    levels();
    loops_in_loops();
    inherited();
    deeper(0);
    printf("leaves at depth 8: %d\n", depth_reached);
    return finish("nesting");
}
