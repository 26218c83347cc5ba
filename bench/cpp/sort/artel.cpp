// Artel: parallel_sort and parallel_stable_sort.
#include <artel/artel.hpp>

#include <cstdlib>
#include <string>

#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool stable = true;

    // The crew is made lazily, of the size the environment gives.
    explicit competitor(int workers)
    {
        setenv("ARTEL_NUM_THREADS", std::to_string(workers).c_str(), 1);
    }
    template <class It>
    void sort(It first, It last)
    {
        artel::parallel_sort(first, last);
    }
    template <class It>
    void stable_sort(It first, It last)
    {
        artel::parallel_stable_sort(first, last);
    }
    static const char* symbol() { return "artel_version"; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::sort_main<competitor>(argc, argv);
}
