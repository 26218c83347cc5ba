// A plug-in that uses oneTBB, for process.cpp.
#include <numeric>
#include <oneapi/tbb.h>
#include <vector>

namespace {

// Lives as long as the plug-in is loaded.
tbb::enumerable_thread_specific<long> sums;
tbb::task_arena arena(2);

}  // namespace

extern "C" long plugin_sum(int n)
{
    std::vector<int> v(static_cast<std::size_t>(n));
    std::iota(v.begin(), v.end(), 0);
    sums.clear();
    arena.execute([&] {
        tbb::parallel_for(0, n, [&](int i) { sums.local() += v[static_cast<std::size_t>(i)]; });
    });
    return sums.combine([](long a, long b) { return a + b; });
}
