// A thread that updates the numbers later: for a while after several calls were active, and while
// abandoned calls may be counted.
#include "base/os/futex.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/own_threads.hpp"
#include "caller.hpp"
#include "callers.hpp"
#include "thread_counts.hpp"

namespace artel::openblas {
namespace {

// 0: asleep; 1: works every calm_us.
constinit std::atomic<std::uint32_t> watching{0};
constinit std::atomic<bool> watch_exists{false};

void* watch(void*)
{
    for (;;) {
        // acquire: pairs with the release in wake_watch(): the change before that call is seen.
        while (watching.load(std::memory_order_acquire) == 0) {
            base::os::futex_wait(watching, 0);
        }
        base::os::futex_wait_for(watching, 1, calm_us);
        find_left();
        const std::scoped_lock hold(counts_lock);
        // relaxed, all: under the lock.
        if (!state.at_rest.load(std::memory_order_relaxed)) {
            set_thread_counts();
        }
        if (state.at_rest.load(std::memory_order_relaxed)) {
            watching.store(0, std::memory_order_relaxed);
        }
    }
}

}  // namespace

void wake_watch() noexcept
{
    // relaxed: under the lock.
    if (watching.load(std::memory_order_relaxed) != 0) {
        return;
    }
    // release: pairs with the acquire in watch().
    watching.store(1, std::memory_order_release);
    // relaxed: under the lock.
    if (!watch_exists.load(std::memory_order_relaxed)) {
        const bool started = base::os::start_service_thread(watch, nullptr);
        watch_exists.store(started, std::memory_order_relaxed);  // relaxed: under the lock
        if (!started) {
            // relaxed: under the lock. The next call to begin or end tries again to start it.
            watching.store(0, std::memory_order_relaxed);
        }
    } else {
        const base::os::keep_errno keep;
        base::os::futex_wake(watching, 1);
    }
}

void forget_watch() noexcept
{
    // relaxed (two): the child has one thread.
    watching.store(0, std::memory_order_relaxed);
    watch_exists.store(false, std::memory_order_relaxed);
}

void look_for_left() noexcept
{
    const std::scoped_lock hold(counts_lock);
    wake_watch();
}

}  // namespace artel::openblas
