// A bare call: the recursion without any runtime, a lower bound for every competitor. Every call
// remains a call, as with a spawn: no inlining, and no loop in place of the second branch.
#include "config.hpp"

namespace {

[[gnu::noinline]] long fib(int n)
{
    if (n < 2)
        return n;
    const long left = fib(n - 1);
    long right = fib(n - 2);
    __asm__ volatile("" : "+r"(right));  // the addition is not folded into the recursion
    return left + right;
}

class competitor {
public:
    explicit competitor(int) {}
    long fib(int n) { return ::fib(n); }
    static const char* symbol() { return ""; }
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::forkjoin_main<competitor>(argc, argv);
}
