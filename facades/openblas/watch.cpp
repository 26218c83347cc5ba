// The thread that looks again what calls may be told: after a moment in which several were inside,
// and while some may have been left without returning.
#include "base/os/futex.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/own_threads.hpp"
#include "caller.hpp"
#include "callers.hpp"
#include "told.hpp"

namespace artel::openblas {
namespace {

// 0: asleep; 1: looks every calm_us.
constinit std::atomic<std::uint32_t> watching{0};
constinit std::atomic<bool> watch_exists{false};

void* watch(void*)
{
    for (;;) {
        // acquire, release: the thread that has set it has made its change before.
        while (watching.load(std::memory_order_acquire) == 0) {
            base::os::futex_wait(watching, 0);
        }
        base::os::futex_wait_for(watching, 1, calm_us);
        find_left();
        const std::scoped_lock hold(telling);
        // relaxed, all: under the lock.
        if (!state.at_rest.load(std::memory_order_relaxed)) {
            tell_all();
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
            // relaxed: under the lock. Whoever comes or goes next tries again to start it.
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
    const std::scoped_lock hold(telling);
    wake_watch();
}

}  // namespace artel::openblas
