// Light threads as tasks of gcc's OpenMP runtime.
#include "../fibers/openmp_region.hpp"

namespace cp::light {

const char* const name = "task";

namespace {

void make_task(fiber* x)
{
#pragma omp task firstprivate(x)
    run_task(x);
}

}  // namespace

}  // namespace cp::light
