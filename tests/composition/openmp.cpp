// Children in OpenMP's teams, loops, sections and tasks. Also checked: the size of the team, loops
// without a barrier, and the order of dependent tasks.
#include "family.hpp"

#include <omp.h>

#include <atomic>

namespace mixture {

void run_omp(const node& n, family& f)
{
    const int k = n.children;
    const int threads = 1 + static_cast<int>(scramble(n.seed + 5) % 4);
    switch (n.kind) {
    case omp_region: {
#pragma omp parallel num_threads(k)
        {
            if (omp_get_num_threads() != k) {
                fail(n, "the team has another size");
            }
            f.bound_child(omp_get_thread_num());
        }
        break;
    }
    case omp_for: {
        switch (scramble(n.seed + 6) % 3) {
        case 0:
#pragma omp parallel for num_threads(threads) schedule(static, 1)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
            break;
        case 1:
#pragma omp parallel for num_threads(threads) schedule(dynamic)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
            break;
        default:
#pragma omp parallel for num_threads(threads) schedule(guided)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
        }
        break;
    }
    case omp_tasks: {
        if (scramble(n.seed + 7) % 2 == 0) {
#pragma omp parallel num_threads(threads)
#pragma omp single
            for (int i = 0; i < k; ++i) {
#pragma omp task firstprivate(i) shared(f)
                f.bound_child(i);
            }
        } else {
#pragma omp taskgroup
            for (int i = 0; i < k; ++i) {
#pragma omp task firstprivate(i) shared(f)
                f.bound_child(i);
            }
        }
        break;
    }
    case omp_taskloop: {
#pragma omp taskloop grainsize(1) shared(f)
        for (int i = 0; i < k; ++i) {
            f.bound_child(i);
        }
        break;
    }
    case omp_sections: {
#pragma omp parallel sections num_threads(threads)
        {
#pragma omp section
            for (int i = 0; i < k / 2; ++i) {
                f.bound_child(i);
            }
#pragma omp section
            for (int i = k / 2; i < k; ++i) {
                f.bound_child(i);
            }
        }
        break;
    }
    case omp_team_loops: {
        std::atomic<long> trips{0};
#pragma omp parallel num_threads(threads)
        {
            for (int again = 0; again < 3; ++again) {
#pragma omp for schedule(dynamic) nowait
                for (int i = 0; i < 10; ++i) {
                    trips.fetch_add(1);
                }
            }
#pragma omp barrier
            if (trips.load() != 30) {
                fail(n, "iterations of loops without a barrier are missing");
            }
#pragma omp for schedule(dynamic)
            for (int i = 0; i < k; ++i) {
                f.bound_child(i);
            }
        }
        break;
    }
    default: {
        int at = 0;
#pragma omp taskgroup
        for (int i = 0; i < k; ++i) {
#pragma omp task firstprivate(i) shared(f, at) depend(inout : at)
            {
                if (at++ != i) {
                    fail(n, "dependent tasks ran out of order");
                }
                f.bound_child(i);
            }
        }
    }
    }
}

}  // namespace mixture
