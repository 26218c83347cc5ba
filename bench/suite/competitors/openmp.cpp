// OpenMP by the compiler's own runtime: gcc's makes suite-libgomp of this file, clang's
// suite-libomp. The environment determines how threads wait and how deep regions nest.
#include <omp.h>

#include "../program.hpp"

namespace {

class competitor {
public:
    competitor(int workers, std::string_view variant)
        : workers_(workers), variant_(artel::bench::variant_number(
                                 variant, {"static", "dynamic", "dynamic16", "guided",
                                           "monotonic-dynamic", "monotonic-guided"}))
    {}

    static const char* symbol() { return "omp_get_max_threads"; }

    template <class F>
    void within(const F& f)
    {
        f();
    }

    template <class F>
    void each(long count, const F& f)
    {
        switch (variant_) {
        case 0:
#pragma omp parallel for schedule(static) num_threads(workers_)
            for (long i = 0; i < count; ++i)
                f(i);
            break;
        case 1:
#pragma omp parallel for schedule(nonmonotonic : dynamic, 1) num_threads(workers_)
            for (long i = 0; i < count; ++i)
                f(i);
            break;
        case 2:
#pragma omp parallel for schedule(nonmonotonic : dynamic, 16) num_threads(workers_)
            for (long i = 0; i < count; ++i)
                f(i);
            break;
        case 3:
#pragma omp parallel for schedule(nonmonotonic : guided) num_threads(workers_)
            for (long i = 0; i < count; ++i)
                f(i);
            break;
        case 4:
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(workers_)
            for (long i = 0; i < count; ++i)
                f(i);
            break;
        default:
#pragma omp parallel for schedule(monotonic : guided) num_threads(workers_)
            for (long i = 0; i < count; ++i)
                f(i);
        }
    }

    template <class F>
    void inner(long count, const F& f)
    {
        each(count, f);
    }

    template <class F>
    void root(const F& f)
    {
#pragma omp parallel num_threads(workers_)
#pragma omp single
        f();
    }

    template <class F, class G>
    void both(const F& f, const G& g)
    {
#pragma omp task untied shared(f)
        f();
        g();
#pragma omp taskwait
    }

private:
    const int workers_;
    const int variant_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::suite_main<competitor>(argc, argv);
}
