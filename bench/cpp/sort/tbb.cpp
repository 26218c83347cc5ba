// oneTBB: parallel_sort. It has no stable one.
#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool stable = false;

    explicit competitor(int workers)
        : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers))
    {}
    template <class It>
    void sort(It first, It last)
    {
        tbb::parallel_sort(first, last);
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
