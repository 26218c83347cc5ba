// Taskflow: a flow of independent tasks, built once and run per loop: its cheapest way to start
// work from outside.
#include <taskflow/taskflow.hpp>

#include <functional>

#include "config.hpp"

namespace {

class competitor {
public:
    explicit competitor(int workers)
        : workers_(workers), executor_(static_cast<std::size_t>(workers))
    {
        for (int index = 0; index < workers_; ++index)
            flow_.emplace([this, index] { body_(index); });
    }

    template <class F>
    void within(F f)
    {
        f();
    }

    template <class F>
    void each(const F& f)
    {
        body_ = std::cref(f);
        executor_.run(flow_).wait();
    }

    static const char* symbol() { return ""; }

private:
    int workers_;
    std::function<void(int)> body_;
    tf::Taskflow flow_;
    tf::Executor executor_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::loop_main<competitor>(argc, argv);
}
