// Light threads as iterations of taskloops of gcc's OpenMP runtime.
#include "../fibers/openmp_region.hpp"

namespace cp::light {

const char* const name = "taskloop";

namespace {

void make_task(fiber* x)
{
#pragma omp taskloop num_tasks(1) nogroup firstprivate(x)
    for (int i = 0; i < 1; ++i) {
        run_task(x);
    }
}

}  // namespace

}  // namespace cp::light
