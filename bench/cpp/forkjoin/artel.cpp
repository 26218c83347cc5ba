// Artel: parallel_invoke, as in the documentation's own example.
#include <artel/artel.hpp>

#include <cstdlib>
#include <string>

#include "config.hpp"

namespace {

long fib(int n)
{
    if (n < 2)
        return n;
    long left = 0, right = 0;
    artel::parallel_invoke([&] { left = fib(n - 1); }, [&] { right = fib(n - 2); });
    return left + right;
}

class competitor {
public:
    // The crew is made lazily, of the size the environment gives.
    explicit competitor(int workers)
    {
        setenv("ARTEL_NUM_THREADS", std::to_string(workers).c_str(), 1);
    }
    long fib(int n) { return ::fib(n); }
    static const char* symbol() { return "artel_version"; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::forkjoin_main<competitor>(argc, argv);
}
