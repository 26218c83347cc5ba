// The thread of the progress monitor: how it starts, is woken and ends.
#include "base/log.hpp"
#include "base/options.hpp"
#include "base/os/own_threads.hpp"
#include "fiber/call_out.hpp"
#include "sched/monitor.hpp"

#include <pthread.h>
#include <unistd.h>

namespace artel::sched {

void* crew_monitor::monitor_main(void* argument)
{
    crew& c = static_cast<crew&>(*static_cast<crew_monitor*>(argument));
    ::pthread_setname_np(::pthread_self(), "artel-monitor");
    c.monitor_thread_.store(::gettid(), std::memory_order_relaxed);  // relaxed: a number
    take_program_cpus();
    monitor(c).run();
    return nullptr;
}

void crew_monitor::start_monitor_soon() noexcept
{
    // relaxed: a shortcut.
    const unsigned state = monitor_.load(std::memory_order_relaxed);
    if (state == monitor_running || state == monitor_refused ||
        base::options().monitor.count() == 0) {
        return;
    }
    // relaxed: see starting_.
    if (starting_.fetch_or(monitor_wanted, std::memory_order_relaxed) < one_starting) {
        start_monitor();
    }
}

void crew_monitor::has_looked() noexcept
{
    // relaxed: see starting_.
    const unsigned before = starting_.fetch_sub(one_starting, std::memory_order_relaxed);
    if ((before & monitor_wanted) != 0) {
        start_monitor();
    }
}

void crew_monitor::wake_monitor() noexcept
{
    // relaxed: a futex word; the wake below orders.
    monitor_sleeps_.store(0, std::memory_order_relaxed);
    base::os::futex_wake(monitor_sleeps_, 1);
    start_monitor();  // it may have ended
}

// Whether the monitor's thread ends now, as end_threads() wants.
bool crew_monitor::monitor_ends() noexcept
{
    // relaxed: asked at each tick.
    if (monitor_.load(std::memory_order_relaxed) != monitor_to_end) {
        return false;
    }
    // The next user of the crew finds it asleep, and starts another one. relaxed: ordered by the
    // fence.
    monitor_sleeps_.store(1, std::memory_order_relaxed);
    // pairs with rouse_monitor(): we see their activity, or they see us asleep.
    base::full_fence();
    unsigned wanted = monitor_to_end;
    // relaxed, all: ordered by the fence. acq_rel: see monitor_.
    if (active() <= 0 && working_reserves_.load(std::memory_order_relaxed) == 0 &&
        !tasks_left_.load(std::memory_order_relaxed) &&
        monitor_.compare_exchange_strong(wanted, monitor_none, std::memory_order_acq_rel)) {
        return true;
    }
    monitor_sleeps_.store(0, std::memory_order_relaxed);  // relaxed: as in wake_monitor()
    // acq_rel: see monitor_.
    monitor_.compare_exchange_strong(wanted, monitor_running, std::memory_order_acq_rel);
    return false;
}

void crew_monitor::start_monitor() noexcept
{
    if (base::options().monitor.count() == 0) {
        return;
    }
    unsigned state = monitor_.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    do {
        if (state == monitor_running || state == monitor_refused) {
            return;
        }
        // acq_rel: only the first caller continues. A monitor that was to end sees that it is to
        // stay.
    } while (!monitor_.compare_exchange_weak(state, monitor_running, std::memory_order_acq_rel));
    if (state != monitor_none) {
        return;
    }
    const fiber::call_out guard;
    if (!base::os::start_service_thread(monitor_main, this)) {
        base::write_line(
            "cannot create the progress monitor: light threads that wait for each other in spin "
            "loops may hang");
        // release: as in all changes. While there is no thread only end_threads() changes it, which
        // then waits once for nothing.
        monitor_.store(monitor_refused, std::memory_order_release);
    }
}

}  // namespace artel::sched
