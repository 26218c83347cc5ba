// std::sort and std::stable_sort with std::execution::par: libstdc++'s, over oneTBB.
#include <tbb/global_control.h>

#include <algorithm>
#include <execution>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool stable = true;

    explicit competitor(int workers)
        : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers))
    {}
    template <class It>
    void sort(It first, It last)
    {
        std::sort(std::execution::par, first, last);
    }
    template <class It>
    void stable_sort(It first, It last)
    {
        std::stable_sort(std::execution::par, first, last);
    }
    static const char* symbol() { return "TBB_runtime_version"; }

private:
    tbb::global_control limit_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::sort_main<competitor>(argc, argv);
}
