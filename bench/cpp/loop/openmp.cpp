// OpenMP by the compiler's own runtime: a static loop, one iteration per thread.
#include <omp.h>

#include "config.hpp"

namespace {

class competitor {
public:
    explicit competitor(int workers) : workers_(workers) {}

    template <class F>
    void within(F f)
    {
        f();
    }

    template <class F>
    void each(const F& f)
    {
#pragma omp parallel for schedule(static, 1) num_threads(workers_)
        for (int index = 0; index < workers_; ++index)
            f(index);
    }

    static const char* symbol() { return "omp_get_max_threads"; }

private:
    int workers_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::loop_main<competitor>(argc, argv);
}
