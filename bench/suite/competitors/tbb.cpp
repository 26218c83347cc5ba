// oneTBB: parallel_for with each partitioner. An observer pins each worker to a CPU, as in the
// thesis, where there are enough.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <sched.h>

#include "../program.hpp"

namespace {

class pinning : public tbb::task_scheduler_observer {
public:
    explicit pinning(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena)
    {
        sched_getaffinity(0, sizeof all_, &all_);
        observe(true);
    }
    ~pinning() override { observe(false); }

    void on_scheduler_entry(bool) override
    {
        const int slot = tbb::this_task_arena::current_thread_index();
        int nth = 0;
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &all_) && nth++ == slot) {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(cpu, &one);
                sched_setaffinity(0, sizeof one, &one);
            }
    }

private:
    cpu_set_t all_{};
};

class competitor {
public:
    competitor(int workers, std::string_view variant)
        : variant_(artel::bench::variant_number(variant, {"simple", "auto", "affinity", "static"})),
          limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)),
          arena_(workers)
    {
        if (workers <= measure_cpus())
            pinning_ = std::make_unique<pinning>(arena_);
    }

    static const char* symbol() { return "TBB_runtime_version"; }

    template <class F>
    void within(const F& f)
    {
        arena_.execute(f);
    }

    template <class F>
    void each(long count, const F& f)
    {
        // Remembers which worker ran what, from one call at this place to the next.
        thread_local tbb::affinity_partitioner affinity;
        run(count, f, affinity);
    }

    template <class F>
    void inner(long count, const F& f)
    {
        tbb::affinity_partitioner affinity;
        run(count, f, affinity);
    }

    template <class F>
    void root(const F& f)
    {
        f();
    }

    template <class F, class G>
    void both(const F& f, const G& g)
    {
        tbb::parallel_invoke(f, g);
    }

private:
    template <class F>
    void run(long count, const F& f, tbb::affinity_partitioner& affinity)
    {
        switch (variant_) {
        case 0: return tbb::parallel_for(0L, count, f, tbb::simple_partitioner());
        case 1: return tbb::parallel_for(0L, count, f, tbb::auto_partitioner());
        case 2: return tbb::parallel_for(0L, count, f, affinity);
        default: return tbb::parallel_for(0L, count, f, tbb::static_partitioner());
        }
    }

    const int variant_;
    tbb::global_control limit_;
    tbb::task_arena arena_;
    std::unique_ptr<pinning> pinning_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::suite_main<competitor>(argc, argv);
}
