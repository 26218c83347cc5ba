// oneTBB: parallel_for over single iterations. The static partitioner mails each piece to its
// worker, which starts both workers sooner than stealing does.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "config.hpp"

namespace {

class competitor {
public:
    explicit competitor(int workers)
        : workers_(workers),
          limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)),
          arena_(workers)
    {}

    template <class F>
    void within(F f)
    {
        arena_.execute(f);
    }

    template <class F>
    void each(const F& f)
    {
        tbb::parallel_for(0, workers_, f, tbb::static_partitioner());
    }

    static const char* symbol() { return "TBB_runtime_version"; }

private:
    int workers_;
    tbb::global_control limit_;
    tbb::task_arena arena_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::loop_main<competitor>(argc, argv);
}
