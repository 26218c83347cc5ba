// The thread that rings alarms.
#include "sched/alarm.hpp"

#include "base/log.hpp"
#include "base/os/futex.hpp"
#include "base/os/own_threads.hpp"
#include "base/os/yield.hpp"
#include "base/spinlock.hpp"
#include "fiber/call_out.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace artel::sched {
namespace {

// Values of looks_at.
constexpr moment at_once = std::numeric_limits<moment>::min();
constexpr moment when_told = std::numeric_limits<moment>::max();

struct alarm_state {
    base::spinlock lock;  // held for a few instructions, and for `ring`
    boost::intrusive::multiset<alarm> alarms;
    // The futex that the thread sleeps on; changed when an alarm is set for before it looks again.
    std::atomic<std::uint32_t> changes{0};
    bool rings = false;         // one that has rung is being made ready; under the lock
    std::uint32_t set = 0;      // how many alarms have been set; under the lock
    moment looks_at = at_once;  // by then the thread looks again, by itself or told; under the lock
    bool has_thread = false;    // under the lock
    bool ends = false;          // under the lock: the thread ends if there is no alarm
    int thread = 0;             // its number; under the lock
};

// Never destroyed: the thread may use it until the process ends.
alignas(alarm_state) char storage[sizeof(alarm_state)];
alarm_state& state = *new (storage) alarm_state;

constexpr moment furthest_sleep = 3600ll * 1000000000;  // an hour; then the thread looks again

void* alarm_main(void*)
{
    ::pthread_setname_np(::pthread_self(), "artel-alarms");
    const int number = ::gettid();
    crew::take_program_cpus();
    for (;;) {
        // acquire: pairs with set_alarm. An alarm set after this load changes the word, and then
        // the futex does not let us sleep.
        const std::uint32_t seen = state.changes.load(std::memory_order_acquire);
        moment pause = -1;
        fiber::fiber* late = nullptr;
        {
            const std::scoped_lock hold(state.lock);
            state.thread = number;
            state.looks_at = when_told;
            if (std::exchange(state.ends, false) && state.alarms.empty()) {
                state.has_thread = false;
                state.looks_at = at_once;  // the next thread does
                // relaxed: see there
                base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);
                return nullptr;
            }
            if (const auto first = state.alarms.begin(); first != state.alarms.end()) {
                const moment here = now();
                pause = std::min(first->when - here, furthest_sleep);
                state.looks_at = pause > 0 ? here + pause : at_once;
                if (pause <= 0) {
                    alarm& due = *first;
                    state.alarms.erase(first);
                    due.is_set = false;
                    late = due.ring(due);
                    state.rings = late != nullptr;
                    pause = 0;  // there may be more
                }
            }
        }
        if (late != nullptr) {
            make_ready(*late);
            const std::scoped_lock hold(state.lock);
            state.rings = false;
        } else if (pause < 0) {
            base::os::futex_wait(state.changes, seen);
        } else if (pause > 0) {
            base::os::futex_wait_for(state.changes, seen,
                                     static_cast<std::uint64_t>(pause + 999) / 1000);
        }
    }
}

// Called under the lock: two waiters must not both make the thread. It is seldom made, so others
// may wait for as long as that takes.
bool ensure_thread() noexcept
{
    if (!state.has_thread) {
        state.has_thread = base::os::start_service_thread(alarm_main, nullptr);
    }
    return state.has_thread;
}

}  // namespace

moment now() noexcept
{
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<moment>(t.tv_sec) * 1000000000 + t.tv_nsec;
}

bool set_alarm(alarm& a) noexcept
{
    bool too_late = false;
    {
        const std::scoped_lock hold(state.lock);
        const fiber::call_out guard;
        if (!ensure_thread()) {
            return false;
        }
        state.alarms.insert(a);
        a.is_set = true;
        ++state.set;
        // A thread that sleeps until an earlier alarm, which may have been cleared since, finds
        // this one when it looks.
        too_late = a.when < state.looks_at;
        if (too_late) {
            state.looks_at = a.when;  // as the change below lets it look before that
        }
    }
    if (too_late) {
        // release: pairs with the alarm thread's acquire, which then finds the alarm under the
        // lock.
        state.changes.fetch_add(1, std::memory_order_release);
        base::os::futex_wake(state.changes, 1);
    }
    return true;
}

void clear_alarm(alarm& a) noexcept
{
    const std::scoped_lock hold(state.lock);
    if (a.is_set) {
        state.alarms.erase(state.alarms.iterator_to(a));
        a.is_set = false;
    }
}

timed_waits alarms_set() noexcept
{
    const std::scoped_lock hold(state.lock);
    return {.any = !state.alarms.empty() || state.rings, .begun = state.set};
}

bool end_alarms_thread(int& number) noexcept
{
    {
        const std::scoped_lock hold(state.lock);
        if (!state.has_thread) {
            return true;
        }
        if (!state.alarms.empty()) {
            return false;
        }
        state.ends = true;
    }
    state.changes.fetch_add(1, std::memory_order_release);  // release: as in set_alarm
    base::os::futex_wake(state.changes, 1);
    for (;;) {
        {
            const std::scoped_lock hold(state.lock);
            number = state.thread;
            if (!state.ends) {
                return !state.has_thread;
            }
        }
        base::os::yield();
    }
}

void reset_alarms_after_fork() noexcept
{
    new (storage) alarm_state;
}

}  // namespace artel::sched
