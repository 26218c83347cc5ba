// The standard library: std::for_each with std::execution::par, which libstdc++ runs on oneTBB.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <boost/iterator/counting_iterator.hpp>
#include <execution>

#include "../program.hpp"

namespace {

class competitor {
public:
    competitor(int workers, std::string_view variant)
        : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)),
          arena_(workers)
    {
        artel::bench::variant_number(variant, {"par"});
    }

    static const char* symbol() { return "TBB_runtime_version"; }

    template <class F>
    void within(const F& f)
    {
        arena_.execute(f);
    }

    template <class F>
    void each(long count, const F& f)
    {
        using counter = boost::counting_iterator<long>;
        std::for_each(std::execution::par, counter(0), counter(count), [&f](long i) { f(i); });
    }

    template <class F>
    void inner(long count, const F& f)
    {
        each(count, f);
    }

private:
    tbb::global_control limit_;
    tbb::task_arena arena_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::suite_main<competitor>(argc, argv);
}
