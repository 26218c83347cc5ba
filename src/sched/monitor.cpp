// The progress monitor. Light threads that were promised to run concurrently (team members) may
// wait for each other without yielding, in loops that no runtime can see (OpenBLAS's level-3 jobs,
// flag waits). When such a light thread is queued at a worker that has used the CPU for some
// milliseconds without a switch (or was blocked in the kernel for long), the monitor adds an OS
// thread, and twice as many at each further tick, but no more than there are waiting light threads.
// The kernel's time slices then give all of them progress, as under a runtime with one OS thread
// per member. It measures CPU time and not wall time, because on a busy machine a worker may be off
// the CPU for many ticks without being stuck.
//
// Reserves keep what they carry, so that members that always spin find their OS threads at once the
// next time; a reserve that was added for a spun-on light thread carries only that one (worker.hpp,
// keeps_to_its_own). After some time without stuck workers reserves are retired; if that turns out
// to have been wrong, the time is made longer.
//
// It sleeps while nobody works. A guest that begins, a worker that leaves the idle set, or a
// reserve that mail wakes, wakes it: a member that blocks in the kernel may have been idle a moment
// ago, waiting for the others.
//
// It also detects that threads of the program keep the CPUs busy outside of regions: then waiting
// members sleep instead of yielding (spin.hpp).
#include "base/log.hpp"
#include "base/options.hpp"
#include "base/os/own_threads.hpp"
#include "base/os/thread_clock.hpp"
#include "fiber/call_out.hpp"
#include "sched/observation.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <mutex>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace artel::sched {
namespace {

constexpr unsigned most_at_once = 64;
// us; an upper bound: a thread that becomes active wakes the monitor.
constexpr std::uint64_t nap_when_idle = 1000000;
constexpr std::uint64_t second = 1000000000;  // ns

// ticks over which the CPU share of threads outside the crew is averaged.
constexpr std::uint64_t crowd_memory = 16;
// ticks without trouble before reserves are retired.
constexpr unsigned shortest_calm = 20;
constexpr unsigned longest_calm = 20000;

// us until the next look at a guest that may have left its tasks (left_tasks.hpp).
constexpr std::uint64_t soon = 1000;

}  // namespace

// Whether another look is due soon.
template <class SeenOf>
bool crew::look_at_left_tasks(SeenOf&& seen_of) noexcept
{
    if (!tasks_left_.load(std::memory_order_relaxed)) {  // relaxed: a thread that sets it wakes us
        return false;
    }
    tasks_left_.store(false, std::memory_order_relaxed);  // relaxed: ordered by the fence
    // pairs with the fence in leave_task(): we see the task, or it sees the mark cleared.
    base::full_fence();
    bool any = false;
    bool wanted = false;
    bool again_soon = false;
    any_worker([&](worker& w) {
        if (w.duty != role::guest) {
            return false;
        }
        left_task* const seen = seen_of(w);
        if (w.tasks.empty()) {
            if (seen != nullptr && seen->forget()) {
                w.has_old_task.store(false, std::memory_order_relaxed);  // relaxed: see there
            }
            return false;
        }
        any = true;
        if (seen == nullptr) {
            return false;
        }
        const left_task::decision found = look_at(*seen, w);
        again_soon = again_soon || found == left_task::decision::look_soon;
        const bool is_old = found == left_task::decision::run_it ||
                            found == left_task::decision::call_worker;
        if (is_old || seen->is_new()) {
            w.has_old_task.store(is_old, std::memory_order_relaxed);  // relaxed: see there
        }
        if (found == left_task::decision::call_worker) {
            w.relies_on_others.store(true, std::memory_order_relaxed);  // relaxed: see there
            wanted = true;
        }
        return false;
    });
    if (any) {
        tasks_left_.store(true, std::memory_order_relaxed);  // relaxed: read by ourselves
    }
    if (wanted) {
        notify(nullptr);
    }
    return again_soon;
}

namespace {

// relaxed, all accesses: only function pointers, which stay.
constinit std::array<std::atomic<crew::second_hook>, 4> each_second{};

}  // namespace

void crew::call_each_second(second_hook hook) noexcept
{
    for (auto& place : each_second) {
        second_hook expected = nullptr;
        // relaxed: see each_second.
        if (place.compare_exchange_strong(expected, hook, std::memory_order_relaxed) ||
            expected == hook) {
            return;
        }
    }
}

void* crew::monitor_main(void* argument)
{
    crew& c = *static_cast<crew*>(argument);
    ::pthread_setname_np(::pthread_self(), "artel-monitor");
    c.monitor_thread_.store(::gettid(), std::memory_order_relaxed);  // relaxed: a number
    const auto tick = static_cast<std::uint64_t>(base::options().monitor.count()) * 1000;
    // Not allocated: a thread's first allocation gives it an arena of its own. In the child of a
    // fork it still has what the parent's monitor left.
    static constinit std::array<observation, max_workers> seen;
    unsigned known = 0;  // workers of this crew that have been seen
    std::uint64_t last_tick = base::os::read_clock(CLOCK_MONOTONIC);
    // CPU share of threads outside the crew, in thousandths of one CPU.
    std::uint64_t outside_share = 0;
    unsigned to_add = 1;
    unsigned calm = 0;                     // ticks since a worker was stuck
    unsigned enough_calm = shortest_calm;  // before reserves are retired
    bool look_soon = false;                // at left tasks
    std::uint64_t next_second = last_tick + second;
    unsigned seconds = 0;
    const auto nobody_works = [&c] {
        // relaxed: as in active().
        return c.active() <= 0 && c.working_reserves_.load(std::memory_order_relaxed) == 0;
    };
    for (;;) {
        if (c.monitor_ends()) {
            base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
            return nullptr;
        }
        // At least a second apart, also after a stop of the whole process.
        if (const std::uint64_t now = base::os::read_clock(CLOCK_MONOTONIC); now >= next_second) {
            next_second = now + second;
            ++seconds;
            c.any_worker([&](worker& w) {
                if (w.index < known && seen[w.index].has_rested_enough(w)) {
                    seen[w.index] = {};
                    c.end_rested(w);
                }
                return false;
            });
            for (const auto& place : each_second) {
                // relaxed: see each_second.
                if (const second_hook hook = place.load(std::memory_order_relaxed);
                    hook != nullptr) {
                    hook(seconds);
                }
            }
        }
        // relaxed: read again after the fence.
        if (nobody_works() && !c.tasks_left_.load(std::memory_order_relaxed)) {
            c.monitor_sleeps_.store(1, std::memory_order_relaxed);  // relaxed: ordered by the fence
            // pairs with rouse_monitor(): we see their activity, or what they have left, or they
            // see us asleep.
            base::full_fence();
            // relaxed: ordered by the fence.
            if (nobody_works() && !c.tasks_left_.load(std::memory_order_relaxed) &&
                c.monitor_.load(std::memory_order_relaxed) != monitor_to_end) {
                base::os::futex_wait_for(c.monitor_sleeps_, 1, nap_when_idle);
            }
            c.monitor_sleeps_.store(0, std::memory_order_relaxed);  // relaxed: as in wake_monitor()
            continue;
        }
        std::atomic<std::uint32_t> never{0};
        base::os::futex_wait_for(never, 0, look_soon ? std::min(soon, tick) : tick);
        bool waiting = false;
        std::size_t behind = 0;  // light threads that wait behind a stuck worker
        bool all_stuck = true;
        bool spun_on = false;
        std::uint64_t outside = 0;
        unsigned threads_outside = 0;
        for (const unsigned n = c.table_size(); known < n; ++known) {
            seen[known] = {};
        }
        // relaxed: a hint; an inconsistent sum over changing counters is corrected at the next
        // tick.
        int anywhere = c.queued_by_ended_.load(std::memory_order_relaxed);
        c.any_worker([&](const worker& w) {
            anywhere += w.concurrent_queued.load(std::memory_order_relaxed);  // relaxed: as above
            bool computes = false;
            bool quiet = false;
            bool stuck = seen[w.index].is_stuck(w, computes, quiet);
            const std::uint64_t used = seen[w.index].used_outside(w);
            outside += used;
            threads_outside += used != 0 ? 1 : 0;
            const bool others = !w.ready.empty() || !w.mail.empty();
            // relaxed: as above. Others can take these, but they may all be blocked.
            const int promised = w.concurrent_queued.load(std::memory_order_relaxed);
            const bool blocked = quiet && (promised > 0 || (others && !stuck)) && is_blocked(w);
            stuck = stuck || blocked;
            const bool with_others = stuck && others;
            waiting |= with_others || (blocked && promised > 0);
            if (blocked && promised > 0) {
                behind += static_cast<std::size_t>(promised);
            }
            if (with_others) {
                // Only the owner can count its mail. Behind a worker that computes there are
                // mostly the members that it spins on. For one that is blocked a single reserve is
                // asked for, which takes all of its mail: then the rest can be counted. Otherwise
                // every tick that the reserve waits for a CPU would add more of them.
                behind += w.ready.size() + (w.mail.empty() ? 0u : computes ? most_at_once : 1u);
            }
            spun_on |= with_others && computes;
            // Workers without work count as stuck here, and so do guests outside.
            all_stuck &= stuck || w.takes_mail_soon();
            return false;
        });
        // Not for workers that came since.
        look_soon = c.look_at_left_tasks([&](const worker& w) -> left_task* {
            return w.index < known ? &seen[w.index].left : nullptr;
        });
        // A single such thread is usual: it prepares its next region.
        const std::uint64_t now = base::os::read_clock(CLOCK_MONOTONIC);
        outside_share += (threads_outside > 1 ? 1000 * outside / (now - last_tick + 1) : 0) /
                             crowd_memory -
                         outside_share / crowd_memory;
        last_tick = now;
        const bool crowded = outside_share > 250;
        if (crowded != c.crowded_.load(std::memory_order_relaxed)) {  // relaxed: only we write it
            c.crowded_.store(crowded, std::memory_order_relaxed);
        }
        if (!waiting && !(anywhere > 0 && all_stuck)) {
            to_add = 1;
            if (++calm == enough_calm) {
                c.retire_reserves();
            }
            continue;
        }
        if (calm >= enough_calm && c.reserve_count() != 0) {
            enough_calm = std::min(enough_calm * 4, longest_calm);  // they were still needed
        }
        calm = 0;
        // A sleeping worker may suffice; the next tick shows whether it did.
        if (c.free_.idle.load(std::memory_order_relaxed) != 0) {  // relaxed: a look
            c.notify(nullptr);
        }
        // Reserves added before that still wait for a CPU, behind the very threads that compute,
        // will help as well. relaxed: see arriving_.
        const auto arriving = static_cast<unsigned>(c.arriving_.load(std::memory_order_relaxed));
        const auto wanted = static_cast<unsigned>(
            waiting && !(anywhere && all_stuck) ? std::min<std::size_t>(to_add, behind) : to_add);
        const cause why = spun_on ? cause::spinning : waiting ? cause::blocked : cause::promised;
        for (unsigned i = arriving; i < wanted && c.add_reserve(why); ++i) {
            // relaxed: a statistic.
            c.reserves_added_[static_cast<std::size_t>(why)].fetch_add(1,
                                                                       std::memory_order_relaxed);
        }
        to_add = std::min(to_add * 2, most_at_once);
    }
}

void crew::start_monitor_soon() noexcept
{
    // relaxed: a shortcut.
    if (monitor_.load(std::memory_order_relaxed) == monitor_running) {
        return;
    }
    // relaxed: see starting_.
    if (starting_.fetch_or(monitor_wanted, std::memory_order_relaxed) < one_starting) {
        start_monitor();
    }
}

void crew::wake_monitor() noexcept
{
    // relaxed: a futex word; the wake below orders.
    monitor_sleeps_.store(0, std::memory_order_relaxed);
    base::os::futex_wake(monitor_sleeps_, 1);
    start_monitor();  // it may have ended
}

// Whether the monitor's thread ends now, as end_threads() wants.
bool crew::monitor_ends() noexcept
{
    // relaxed: asked at each tick.
    if (monitor_.load(std::memory_order_relaxed) != monitor_to_end) {
        return false;
    }
    // Who uses the crew next finds it asleep, and starts another one. relaxed: ordered by the
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

void crew::start_monitor() noexcept
{
    // relaxed: a once-flag; the exchange below decides.
    if (monitor_.load(std::memory_order_relaxed) == monitor_running ||
        base::options().monitor.count() == 0) {
        return;
    }
    // acq_rel: only the first goes on. One that was to end sees that it is to stay.
    if (monitor_.exchange(monitor_running, std::memory_order_acq_rel) != monitor_none) {
        return;
    }
    const fiber::call_out guard;
    if (!base::os::start_service_thread(monitor_main, this)) {
        base::write_line(
            "cannot create the progress monitor: light threads that wait for each other in spin "
            "loops may hang");
    }
}

}  // namespace artel::sched
