// Eigen's ThreadPool, by hand: an equal share for each worker, of which the caller runs its own
// ("static"); and its ThreadPoolDevice, which divides the range by a cost model ("device"; with a
// high cost per iteration, because otherwise it would run short loops serially). Neither can wait
// inside a task without blocking a worker, so there are no loops in loops.
#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>
#include <unsupported/Eigen/CXX11/ThreadPool>

#include "../program.hpp"

namespace {

class competitor {
public:
    competitor(int workers, std::string_view variant)
        : workers_(workers), variant_(artel::bench::variant_number(variant, {"static", "device"})),
          pool_(variant_ == 0 && workers > 1 ? workers - 1 : workers), device_(&pool_, workers)
    {}

    static const char* symbol() { return ""; }

    template <class F>
    void within(const F& f)
    {
        f();
    }

    template <class F>
    void each(long count, const F& f)
    {
        if (variant_ != 0) {
            const Eigen::TensorOpCost cost(0, 0, 1000);
            device_.parallelFor(count, cost, [&f](Eigen::Index first, Eigen::Index last) {
                for (; first != last; ++first)
                    f(first);
            });
            return;
        }
        const long parts = std::min<long>(workers_, count);
        if (parts <= 1) {
            for (long i = 0; i < count; ++i)
                f(i);
            return;
        }
        Eigen::Barrier done(static_cast<unsigned>(parts - 1));
        const auto part = [&f, count, parts](long number) {
            const long last = (number + 1) * count / parts;
            for (long i = number * count / parts; i < last; ++i)
                f(i);
        };
        for (long number = 1; number < parts; ++number)
            pool_.Schedule([&part, &done, number] {
                part(number);
                done.Notify();
            });
        part(0);
        done.Wait();
    }

private:
    const int workers_;
    const int variant_;
    Eigen::ThreadPool pool_;
    Eigen::ThreadPoolDevice device_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::suite_main<competitor>(argc, argv);
}
