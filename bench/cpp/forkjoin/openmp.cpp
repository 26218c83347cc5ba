// OpenMP tasks by the compiler's own runtime: one task per spawn, the second branch called.
#include <omp.h>

#include "config.hpp"

namespace {

long fib(int n)
{
    if (n < 2)
        return n;
    long left = 0;
#pragma omp task shared(left) firstprivate(n)
    left = fib(n - 1);
    const long right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}

class competitor {
public:
    explicit competitor(int workers) : workers_(workers) {}
    long fib(int n)
    {
        long result = 0;
#pragma omp parallel num_threads(workers_)
#pragma omp single
        result = ::fib(n);
        return result;
    }
    static const char* symbol() { return "omp_get_max_threads"; }

private:
    int workers_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::forkjoin_main<competitor>(argc, argv);
}
