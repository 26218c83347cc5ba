// Taskflow: a recursive runtime task, the form its own Fibonacci example takes.
#include <taskflow/taskflow.hpp>

#include "config.hpp"

namespace {

long fib(int n, tf::Runtime& runtime)
{
    if (n < 2)
        return n;
    long left = 0;
    runtime.silent_async([&left, n](tf::Runtime& child) { left = fib(n - 1, child); });
    const long right = fib(n - 2, runtime);
    runtime.corun_all();
    return left + right;
}

class competitor {
public:
    explicit competitor(int workers)
        : executor_(std::make_unique<tf::Executor>(static_cast<std::size_t>(workers)))
    {}
    long fib(int n)
    {
        long result = 0;
        tf::Taskflow flow;
        flow.emplace([&](tf::Runtime& runtime) { result = ::fib(n, runtime); });
        executor_->run(flow).wait();
        return result;
    }
    static const char* symbol() { return ""; }

private:
    std::unique_ptr<tf::Executor> executor_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::forkjoin_main<competitor>(argc, argv);
}
