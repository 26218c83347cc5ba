// Bare threads that sleep in the kernel on a number: how soon the kernel can start a sleeping CPU:
// a lower bound for runtimes whose workers sleep.
#include <atomic>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "config.hpp"

namespace {

class competitor {
public:
    explicit competitor(int workers)
    {
        for (int index = 1; index < workers; ++index)
            threads_.emplace_back([this, index] { serve(index); });
    }

    ~competitor()
    {
        call_ = nullptr;
        next_round();
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
        // relaxed: ordered before the round by the release in next_round().
        done_.store(0, std::memory_order_relaxed);
        next_round();
        f(0);
        // acquire: pairs with serve()'s release, so the iterations' effects are seen.
        while (done_.load(std::memory_order_acquire) < static_cast<int>(threads_.size())) {
        }
    }

    static const char* symbol() { return ""; }

private:
    void next_round()
    {
        // release: publishes body_, call_ and done_; pairs with serve()'s acquire.
        round_.fetch_add(1, std::memory_order_release);
        syscall(SYS_futex, &round_, FUTEX_WAKE_PRIVATE, static_cast<int>(threads_.size()), nullptr,
                nullptr, 0);
    }

    void serve(int index)
    {
        for (int round = 0;; ++round) {
            // acquire: pairs with the release that opens a round.
            while (round_.load(std::memory_order_acquire) == round)
                syscall(SYS_futex, &round_, FUTEX_WAIT_PRIVATE, round, nullptr, nullptr, 0);
            if (call_ == nullptr)
                return;
            call_(body_, index);
            // release: pairs with each()'s acquire.
            done_.fetch_add(1, std::memory_order_release);
        }
    }

    const void* body_ = nullptr;
    void (*call_)(const void*, int) = nullptr;
    alignas(128) std::atomic<int> round_{0};
    alignas(128) std::atomic<int> done_{0};
    std::vector<std::thread> threads_;
};

}  // namespace

int main(int argc, char** argv)
{
    return artel::bench::loop_main<competitor>(argc, argv);
}
