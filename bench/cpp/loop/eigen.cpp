// Eigen's ThreadPool: all but one iteration scheduled, the first run by the caller, then a barrier.
// (Its ThreadPoolDevice::parallelFor does the same behind a cost model that would run so short a
// loop serially.)
#include <unsupported/Eigen/CXX11/ThreadPool>

#include "config.hpp"

namespace {

class competitor {
public:
    explicit competitor(int workers) : workers_(workers), pool_(workers > 1 ? workers - 1 : 1) {}

    template <class F>
    void within(F f)
    {
        f();
    }

    template <class F>
    void each(const F& f)
    {
        Eigen::Barrier done(static_cast<unsigned>(workers_ - 1));
        for (int index = 1; index < workers_; ++index) {
            pool_.Schedule([&f, &done, index] {
                f(index);
                done.Notify();
            });
        }
        f(0);
        done.Wait();
    }

    static const char* symbol() { return ""; }

private:
    int workers_;
    Eigen::ThreadPool pool_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::loop_main<competitor>(argc, argv);
}
