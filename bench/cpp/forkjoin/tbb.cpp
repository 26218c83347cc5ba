// oneTBB: parallel_invoke in an arena of the asked width.
#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include "config.hpp"

namespace {

long fib(int n)
{
    if (n < 2)
        return n;
    long left = 0, right = 0;
    tbb::parallel_invoke([&] { left = fib(n - 1); }, [&] { right = fib(n - 2); });
    return left + right;
}

class competitor {
public:
    explicit competitor(int workers)
        : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)),
          arena_(workers)
    {}
    long fib(int n)
    {
        return arena_.execute([n] { return ::fib(n); });
    }
    static const char* symbol() { return "TBB_runtime_version"; }

private:
    tbb::global_control limit_;
    tbb::task_arena arena_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::forkjoin_main<competitor>(argc, argv);
}
