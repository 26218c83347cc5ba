// Taskflow: for_each_index with each partitioner. A flow is built once for each place that loops
// and run again and again, which is its cheapest way; loops inside an iteration have a flow each.
#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/taskflow.hpp>

#include <atomic>

#include "../program.hpp"

namespace {

class competitor {
public:
    competitor(int workers, std::string_view variant)
        : variant_(
              artel::bench::variant_number(variant, {"static", "guided", "dynamic", "random"})),
          executor_(static_cast<std::size_t>(workers))
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
        struct place {
            tf::Taskflow flow;
            long first = 0;
            long last = 0;
            const F* body = nullptr;
        };
        thread_local place here;
        if (here.body == nullptr)
            add(here.flow, std::ref(here.first), std::ref(here.last),
                [at = &here](long i) { (*at->body)(i); });
        here.last = count;
        here.body = &f;
        executor_.run(here.flow).wait();
    }

    template <class F>
    void inner(long count, const F& f)
    {
        tf::Taskflow flow;
        add(flow, 0L, count, [&f](long i) { f(i); });
        executor_.corun(flow);
    }

    template <class F>
    void root(const F& f)
    {
        executor_.async([&f] { f(); }).get();
    }

    // Taskflow's cheapest fork and join: an asynchronous task without a future, and its creator
    // takes part until it is done.
    template <class F, class G>
    void both(const F& f, const G& g)
    {
        std::atomic<bool> done{false};
        executor_.silent_async([&f, &done] {
            f();
            done.store(true, std::memory_order_release);  // release: pairs with the acquire below
        });
        g();
        // acquire: pairs with the release above.
        executor_.corun_until([&done] { return done.load(std::memory_order_acquire); });
    }

private:
    template <class First, class Last, class Body>
    void add(tf::Taskflow& flow, First first, Last last, Body body)
    {
        switch (variant_) {
        case 0: flow.for_each_index(first, last, 1L, body, tf::StaticPartitioner()); break;
        case 1: flow.for_each_index(first, last, 1L, body, tf::GuidedPartitioner()); break;
        case 2: flow.for_each_index(first, last, 1L, body, tf::DynamicPartitioner()); break;
        default: flow.for_each_index(first, last, 1L, body, tf::RandomPartitioner());
        }
    }

    const int variant_;
    tf::Executor executor_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::suite_main<competitor>(argc, argv);
}
