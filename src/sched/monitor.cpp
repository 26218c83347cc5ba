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
#include "sched/monitor.hpp"

#include "base/options.hpp"
#include "base/os/own_threads.hpp"
#include "base/os/thread_clock.hpp"
#include "sched/observation.hpp"
#include "sched/periodic.hpp"

#include <algorithm>
#include <array>
#include <ctime>

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

// The observation of each worker. Not on the heap: a thread's first allocation gives it an arena of
// its own. In the child of a fork it still holds what the parent's monitor left.
constinit std::array<observation, max_workers> memory;

}  // namespace

monitor::monitor(crew& of) noexcept
    : crew_(of), tick_(static_cast<std::uint64_t>(base::options().monitor.count()) * 1000),
      last_tick_(base::os::read_clock(CLOCK_MONOTONIC)), enough_calm_(shortest_calm),
      next_second_(last_tick_ + second)
{}

bool monitor::nobody_works() const noexcept
{
    // relaxed: as in active().
    return crew_.active() <= 0 && crew_.working_reserves_.load(std::memory_order_relaxed) == 0;
}

// Its calls are at least a second apart, also after a stop of the whole process.
void monitor::each_second(std::uint64_t now) noexcept
{
    if (now < next_second_) {
        return;
    }
    next_second_ = now + second;
    ++seconds_;
    crew_.any_worker([&](worker& w) {
        if (w.index < known_ && memory[w.index].has_rested_enough(w)) {
            memory[w.index] = {};
            crew_.end_rested(w);
        }
        return false;
    });
    call_second_hooks(seconds_);
}

// False when a thread works; else true, after a sleep.
bool monitor::sleep_while_nobody_works() noexcept
{
    // relaxed: read again after the fence.
    if (!nobody_works() || crew_.tasks_left_.load(std::memory_order_relaxed)) {
        return false;
    }
    crew_.monitor_sleeps_.store(1, std::memory_order_relaxed);  // relaxed: ordered by the fence
    // pairs with rouse_monitor(): we see their activity, or what they have left, or they see us
    // asleep.
    base::full_fence();
    // relaxed: ordered by the fence.
    if (nobody_works() && !crew_.tasks_left_.load(std::memory_order_relaxed) &&
        crew_.monitor_.load(std::memory_order_relaxed) != crew::monitor_to_end) {
        base::os::futex_wait_for(crew_.monitor_sleeps_, 1, nap_when_idle);
    }
    crew_.monitor_sleeps_.store(0, std::memory_order_relaxed);  // relaxed: as in wake_monitor()
    return true;
}

void monitor::look_at(const worker& w, snapshot& found) noexcept
{
    observation& seen = memory[w.index];
    found.anywhere += w.concurrent_queued.load(std::memory_order_relaxed);  // relaxed: see look()
    bool computes = false;
    bool quiet = false;
    bool stuck = seen.is_stuck(w, computes, quiet);
    const std::uint64_t used = seen.used_outside(w);
    found.outside += used;
    found.threads_outside += used != 0 ? 1 : 0;
    const bool others = !w.ready.empty() || !w.mail.empty();
    // relaxed: see look(). Others can take these, but they may all be blocked.
    const int promised = w.concurrent_queued.load(std::memory_order_relaxed);
    const bool blocked = quiet && (promised > 0 || (others && !stuck)) && is_blocked(w);
    stuck = stuck || blocked;
    const bool with_others = stuck && others;
    found.waiting |= with_others || (blocked && promised > 0);
    if (blocked && promised > 0) {
        found.behind += static_cast<std::size_t>(promised);
    }
    if (with_others) {
        // Only the owner can count its mail. Behind a worker that computes there are mostly the
        // members that it spins on. For a blocked worker a single reserve is added, which takes all
        // of its mail: then the rest can be counted. Otherwise every tick for which the reserve
        // waits for a CPU would add more reserves.
        found.behind += w.ready.size() + (w.mail.empty() ? 0u : computes ? most_at_once : 1u);
    }
    found.spun_on |= with_others && computes;
    // Workers without work count as stuck here, and so do guests outside.
    found.all_stuck &= stuck || w.takes_mail_soon();
}

monitor::snapshot monitor::look() noexcept
{
    for (const unsigned n = crew_.table_size(); known_ < n; ++known_) {
        memory[known_] = {};
    }
    snapshot found;
    // relaxed: a hint; an inconsistent sum over changing counters is corrected at the next tick.
    found.anywhere = crew_.queued_by_ended_.load(std::memory_order_relaxed);
    crew_.any_worker([&](const worker& w) {
        look_at(w, found);
        return false;
    });
    return found;
}

// Whether another look is due soon.
bool monitor::look_at_left_tasks() noexcept
{
    // relaxed: a thread that sets it wakes us.
    if (!crew_.tasks_left_.load(std::memory_order_relaxed)) {
        return false;
    }
    crew_.tasks_left_.store(false, std::memory_order_relaxed);  // relaxed: ordered by the fence
    // pairs with the fence in leave_task(): we see the task, or it sees the mark cleared.
    base::full_fence();
    bool any = false;
    bool wanted = false;
    bool again_soon = false;
    crew_.any_worker([&](worker& w) {
        if (w.kind != role::guest) {
            return false;
        }
        // nullptr for workers that came since the last look.
        left_task* const seen = w.index < known_ ? &memory[w.index].left : nullptr;
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
        const left_task::decision found = sched::look_at(*seen, w);
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
        crew_.tasks_left_.store(true, std::memory_order_relaxed);  // relaxed: read by ourselves
    }
    if (wanted) {
        crew_.notify(nullptr);
    }
    return again_soon;
}

// Whether threads of the program outside of the crew keep CPUs busy. A single such thread is usual:
// it prepares its next region.
void monitor::note_crowd(const snapshot& found) noexcept
{
    const std::uint64_t now = base::os::read_clock(CLOCK_MONOTONIC);
    outside_share_ += (found.threads_outside > 1 ? 1000 * found.outside / (now - last_tick_ + 1)
                                                 : 0) /
                          crowd_memory -
                      outside_share_ / crowd_memory;
    last_tick_ = now;
    const bool crowded = outside_share_ > 250;
    if (crowded != crew_.crowded_.load(std::memory_order_relaxed)) {  // relaxed: only we write it
        crew_.crowded_.store(crowded, std::memory_order_relaxed);
    }
}

void monitor::help(const snapshot& found) noexcept
{
    const bool nowhere_to_run = found.anywhere > 0 && found.all_stuck;
    if (!found.waiting && !nowhere_to_run) {
        to_add_ = 1;
        if (++calm_ == enough_calm_) {
            crew_.retire_reserves();
        }
        return;
    }
    if (calm_ >= enough_calm_ && crew_.reserve_count() != 0) {
        enough_calm_ = std::min(enough_calm_ * 4, longest_calm);  // they were still needed
    }
    calm_ = 0;
    // A sleeping worker may suffice; the next tick shows whether it did.
    if (crew_.free_.idle.load(std::memory_order_relaxed) != 0) {  // relaxed: a hint
        crew_.notify(nullptr);
    }
    // Reserves added before that still wait for a CPU, behind the very threads that compute, will
    // help as well. relaxed: see arriving_.
    const auto arriving = static_cast<unsigned>(crew_.arriving_.load(std::memory_order_relaxed));
    const bool as_many_as_wait = found.waiting && !(found.anywhere != 0 && found.all_stuck);
    const auto wanted = static_cast<unsigned>(
        as_many_as_wait ? std::min<std::size_t>(to_add_, found.behind) : to_add_);
    const crew::cause why = found.spun_on   ? crew::cause::spinning
                            : found.waiting ? crew::cause::blocked
                                            : crew::cause::promised;
    for (unsigned i = arriving; i < wanted && crew_.add_reserve(why); ++i) {
        // relaxed: a statistic.
        crew_.reserves_added_[static_cast<std::size_t>(why)].fetch_add(1,
                                                                       std::memory_order_relaxed);
    }
    to_add_ = std::min(to_add_ * 2, most_at_once);
}

void monitor::run() noexcept
{
    while (!crew_.monitor_ends()) {
        each_second(base::os::read_clock(CLOCK_MONOTONIC));
        if (sleep_while_nobody_works()) {
            continue;
        }
        // Until the next tick, or until it is to end.
        base::os::futex_wait_for(crew_.monitor_, crew::monitor_running,
                                 look_soon_ ? std::min(soon, tick_) : tick_);
        call_tick_hooks();
        const snapshot found = look();
        look_soon_ = look_at_left_tasks();
        note_crowd(found);
        help(found);
    }
    base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
}

}  // namespace artel::sched
