// The reference: std::sort and std::stable_sort by one thread.
#include "config.hpp"

namespace {

class competitor {
public:
    static constexpr bool stable = true;

    explicit competitor(int) {}
    template <class It>
    void sort(It first, It last)
    {
        std::sort(first, last);
    }
    template <class It>
    void stable_sort(It first, It last)
    {
        std::stable_sort(first, last);
    }
    static const char* symbol() { return ""; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::sort_main<competitor>(argc, argv);
}
