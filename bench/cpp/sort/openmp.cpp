// libstdc++'s parallel mode over OpenMP.
#include <omp.h>
#include <parallel/algorithm>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool stable = true;

    explicit competitor(int workers) { omp_set_num_threads(workers); }
    template <class It>
    void sort(It first, It last)
    {
        __gnu_parallel::sort(first, last);
    }
    template <class It>
    void stable_sort(It first, It last)
    {
        __gnu_parallel::stable_sort(first, last);
    }
    static const char* symbol() { return "GOMP_parallel"; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::sort_main<competitor>(argc, argv);
}
