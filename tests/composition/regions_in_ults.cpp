// Regions of OpenMP in a ULT of Argobots, on a crew of one worker and without the monitor: while
// the ULT waits at a barrier, the worker that carries its stream runs the other member. If the
// stream kept it, nobody else would come for that member, and the program would hang.
#include <abt.h>

#include <atomic>
#include <cstdio>

namespace {

constexpr int regions = 2000;
std::atomic<int> ran{0};

void call_regions(void*)
{
    for (int i = 0; i < regions; ++i) {
#pragma omp parallel num_threads(2)
        {
            ++ran;
#pragma omp barrier
        }
    }
}

}  // namespace

int main()
{
    ABT_xstream stream = ABT_XSTREAM_NULL;
    ABT_pool pool = ABT_POOL_NULL;
    ABT_thread ult = ABT_THREAD_NULL;
    const bool good = ABT_init(0, nullptr) == ABT_SUCCESS &&
                      ABT_xstream_create(ABT_SCHED_NULL, &stream) == ABT_SUCCESS &&
                      ABT_xstream_get_main_pools(stream, 1, &pool) == ABT_SUCCESS &&
                      ABT_thread_create(pool, call_regions, nullptr, ABT_THREAD_ATTR_NULL, &ult) ==
                          ABT_SUCCESS &&
                      ABT_thread_free(&ult) == ABT_SUCCESS &&
                      ABT_xstream_join(stream) == ABT_SUCCESS &&
                      ABT_xstream_free(&stream) == ABT_SUCCESS && ABT_finalize() == ABT_SUCCESS;
    std::printf("%d of %d parts\n", ran.load(), 2 * regions);
    return good && ran == 2 * regions ? 0 : 1;
}
