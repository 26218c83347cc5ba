// oneTBB again, by task_group: one spawn per call as in the others, where parallel_invoke also
// wraps the second branch.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "config.hpp"

namespace {

long fib(int n)
{
    if (n < 2)
        return n;
    long left = 0;
    tbb::task_group group;
    group.run([&] { left = fib(n - 1); });
    const long right = fib(n - 2);
    group.wait();
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
