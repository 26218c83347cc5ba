// In a crew of one thread: tasks of groups that an external thread makes outside of all constructs.
// A user that asks for one thread gets one, so these tasks wake nobody: they are left to a thread
// that waits, usually their maker, in a moment. But the maker may also be away: it polls a flag
// that the task sets, or is blocked in a future. So the monitor looks at each guest's oldest task
// at every tick (monitor.cpp), and wakes one of the crew's own threads in either of two cases:
// - The maker is away: without making a further task or waiting for a group it has used the CPU for
//   `longest_computing`, or was blocked in the kernel at two looks. The count of such looks starts
//   anew when it has computed for most of the time between two; a thread that polls and sleeps by
//   turns has not, so it is away, too.
// - The task has lain there for `longest` looks, whatever the maker did meanwhile.
// From then on the guest relies on others: its next tasks wake a worker at once, until it comes to
// wait for a group and finds that nobody has taken its tasks.
//
// Other guests make and wait for other groups all the time, as the outermost call of a recursion
// does: after `old` looks these run the oldest task themselves when they wait, on a context of its
// own.
//
// Rejected: running the task where it is made. Its maker may hold a lock that the task wants, or be
// about to set a flag that it polls. Also rejected: an alarm at each task, whose thread would have
// to be told each time.
#pragma once

#include "sched/guest_scope.hpp"

#include <cstdint>
#include <utility>

namespace artel::sched {

// Pushes a group's task that is made outside of all constructs or in a width_scope: the first kind
// is left to waiting threads, if the crew has one thread. `w` is this_worker().
void push_from_apart(worker& w, base::work& item) noexcept;

// The monitor's memory of a guest's oldest task. Times in ns.
class left_task {
public:
    // One observation of the guest.
    struct snapshot {
        std::int64_t oldest;         // identifies the oldest task
        std::uint64_t group_events;  // worker::group_events
        std::uint64_t cpu;           // CPU time of its thread
        std::uint64_t wall;          // CLOCK_MONOTONIC
    };
    enum class decision : std::uint8_t {
        wait,
        look_soon,   // perhaps it is away: look again in about a millisecond
        run_it,      // it must run the task itself when it next waits
        call_worker  // a worker must take the task; also as above
    };

    // is_blocked(): whether the thread is blocked in the kernel outside of our own waits; slow. If
    // there was no task before, forget() precedes the first look.
    template <class IsBlocked>
    decision look(const snapshot& now, IsBlocked is_blocked) noexcept
    {
        if (looks_ == 0 || now.oldest != first_.oldest) {
            first_ = last_ = now;
            looks_ = 1;
            soon_ = 0;
            away_ = is_blocked() ? 1 : 0;
            return away_ != 0 ? decision::look_soon : decision::wait;
        }
        ++looks_;
        const snapshot before = std::exchange(last_, now);
        if (now.group_events != before.group_events) {
            first_ = now;
            away_ = 0;
        } else if (now.cpu - before.cpu > (now.wall - before.wall) / 2) {
            away_ = 0;  // it computes
        } else {
            // Not blocked: it has just woken up, or waits for a CPU.
            away_ += is_blocked() ? 1 : 0;
            if (away_ < 2 && soon_ < most_soon) {
                ++soon_;
                return decision::look_soon;
            }
        }
        if (away_ >= 2 || now.cpu - first_.cpu >= longest_computing || looks_ >= longest) {
            return decision::call_worker;
        }
        return looks_ % old == 0 ? decision::run_it : decision::wait;
    }

    // Whether the last look was the first one at this task.
    bool is_new() const noexcept { return looks_ == 1; }

    // There is no task any more; returns whether there was one.
    bool forget() noexcept { return std::exchange(looks_, 0) != 0; }

    static constexpr std::uint64_t longest_computing = 100000000;  // CPU time
    static constexpr unsigned old = 20;                            // looks
    static constexpr unsigned longest = 200;                       // looks
    static constexpr unsigned most_soon = 10;                      // looks that come sooner

private:
    snapshot first_{};    // when `group_events` last changed
    snapshot last_{};     // at the last look
    unsigned looks_ = 0;  // since the task was first seen; 0: there is none
    unsigned soon_ = 0;
    unsigned away_ = 0;  // looks that found it blocked since it last computed
};

// Called by an external thread that begins to wait for a group, outside of all other constructs.
void comes_to_wait() noexcept;

// Called by the same thread at the end of the wait: runs its oldest task if the monitor says so.
// May switch.
void run_old_task() noexcept;

// Whether a guest in a crew of one thread lets tasks lie: a worker takes these even while the guest
// is in a construct, since it may be in one most of the time.
inline bool tasks_are_let_lie(const crew_wakeup& c) noexcept
{
    return c.width() == 1 && c.any_worker([](const worker& w) {
        // relaxed (two): see relies_on_others; the monitor notifies again at its next tick. Both
        // are needed, since each lasts longer than that: the first until the guest comes to wait,
        // the second if it comes all the time.
        return w.relies_on_others.load(std::memory_order_relaxed) &&
               w.has_old_task.load(std::memory_order_relaxed) && !w.tasks.empty();
    });
}

}  // namespace artel::sched
