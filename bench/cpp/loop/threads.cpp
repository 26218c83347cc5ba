// Bare threads that spin on a number: the fastest way to start two CPUs, but no other program can
// use them meanwhile.
#include <atomic>
#include <thread>
#include <vector>

#include "config.hpp"

namespace {

class competitor {
public:
    explicit competitor(int workers)
    {
        const bool oversubscribed = workers > measure_cpus();
        for (int index = 1; index < workers; ++index)
            threads_.emplace_back([this, index, oversubscribed] { serve(index, oversubscribed); });
    }

    ~competitor()
    {
        call_ = nullptr;
        // release: publishes the null call; pairs with serve()'s acquire.
        round_.fetch_add(1, std::memory_order_release);
        for (std::thread& each : threads_)
            each.join();
    }

    competitor(const competitor&) = delete;
    competitor& operator=(const competitor&) = delete;

    template <class F>
    void within(F f)
    {
        f();
    }

    template <class F>
    void each(const F& f)
    {
        body_ = &f;
        call_ = [](const void* body, int index) { (*static_cast<const F*>(body))(index); };
        // relaxed: ordered before the round by the release below.
        done_.store(0, std::memory_order_relaxed);
        // release: publishes body_, call_ and done_; pairs with serve()'s acquire.
        round_.fetch_add(1, std::memory_order_release);
        f(0);
        // acquire: pairs with serve()'s release, so the iterations' effects are seen.
        while (done_.load(std::memory_order_acquire) < static_cast<int>(threads_.size())) {
        }
    }

    static const char* symbol() { return ""; }

private:
    void serve(int index, bool oversubscribed)
    {
        for (long round = 1;; ++round) {
            // acquire: pairs with the release that opens a round.
            while (round_.load(std::memory_order_acquire) < round)
                if (oversubscribed)
                    sched_yield();
            if (call_ == nullptr)
                return;
            call_(body_, index);
            // release: pairs with each()'s acquire.
            done_.fetch_add(1, std::memory_order_release);
        }
    }

    const void* body_ = nullptr;
    void (*call_)(const void*, int) = nullptr;
    alignas(128) std::atomic<long> round_{0};
    alignas(128) std::atomic<int> done_{0};
    std::vector<std::thread> threads_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::loop_main<competitor>(argc, argv);
}
