// In a crew of one thread: tasks of groups that an external thread makes outside of all constructs.
// Whoever asks for one thread gets one, so these wake nobody: they are left to whoever waits, which
// is usually their maker, in a moment. But it may as well be away: it polls a flag that the task
// sets, or is blocked in a future. So the monitor looks at each tick (monitor.cpp), and wakes one
// of the crew's own threads when a guest lets its oldest task lie and meanwhile
// - is blocked in the kernel at two looks, between which it has not used the CPU for most of the
//   time (who polls and sleeps in turn is away, too), or has used the CPU for `patience`, and
//   neither made a further task nor waited for a group, or
// - has done that for `longest`, whatever else it did.
// Such a guest relies on others, and what it makes next wakes one at once; until it comes to wait
// for a group and nobody has come for its tasks. In between there are guests that make and wait for
// other groups all the time, as the outermost call of a recursion does: after `old` they run the
// oldest task themselves, where they wait, on a context of its own.
//
// Rejected: running the task where it is made. Its maker may hold a lock that it wants, or be about
// to set what it polls. And starting the look at each task by an alarm: its thread would have to be
// told each time.
#pragma once

#include "sched/guest_scope.hpp"

#include <cstdint>
#include <utility>

namespace artel::sched {

// Pushes a group's task that is made outside of all constructs or in a width_scope: the first kind
// is left to whoever waits, if the crew has one thread. `w` is this_worker().
void push_from_apart(worker& w, base::work& item) noexcept;

// What the monitor remembers of a guest's oldest task. Times in ns.
class left_task {
public:
    // What there is to see of the guest at a look.
    struct sight {
        std::int64_t oldest;    // which task that is
        std::uint64_t comings;  // worker::comings
        std::uint64_t cpu;      // that its thread has used
        std::uint64_t wall;     // CLOCK_MONOTONIC
    };
    enum class decision : std::uint8_t {
        wait,
        look_soon,   // perhaps it is away: to be looked at again in about a millisecond
        run_it,      // it is to run the task itself when it next waits
        call_worker  // somebody must come for the task; and as above
    };

    // `is_blocked`(): whether the thread is blocked in the kernel outside of our own waits; takes
    // long. Where there has been no task before, the first look comes after forget().
    template <class IsBlocked>
    decision look(const sight& now, IsBlocked is_blocked) noexcept
    {
        if (looks_ == 0 || now.oldest != first_.oldest) {
            first_ = last_ = now;
            looks_ = 1;
            soon_ = 0;
            away_ = is_blocked() ? 1 : 0;
            return away_ != 0 ? decision::look_soon : decision::wait;
        }
        ++looks_;
        const sight before = std::exchange(last_, now);
        if (now.comings != before.comings) {
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
        if (away_ >= 2 || now.cpu - first_.cpu >= patience || looks_ >= longest) {
            return decision::call_worker;
        }
        return looks_ % old == 0 ? decision::run_it : decision::wait;
    }

    // Whether the last look was the first one at this task.
    bool is_new() const noexcept { return looks_ == 1; }

    // There is no task. Whether there was one.
    bool forget() noexcept { return std::exchange(looks_, 0) != 0; }

    static constexpr std::uint64_t patience = 100000000;  // of CPU time
    static constexpr unsigned old = 20;                   // looks
    static constexpr unsigned longest = 200;              // looks
    static constexpr unsigned most_soon = 10;             // looks that come sooner

private:
    sight first_{};       // with these comings
    sight last_{};        // at the last look
    unsigned looks_ = 0;  // since the task was first seen; 0: there is none
    unsigned soon_ = 0;
    unsigned away_ = 0;  // looks that found it blocked since it last computed
};

// By an external thread that begins to wait for a group, outside of all other constructs.
void comes_to_wait() noexcept;

// By the same at the end of the wait: runs its oldest task if the monitor says so. May switch.
void run_old_task() noexcept;

// Whether a guest in a crew of one thread lets tasks lie: these do not wait until it is out of all
// constructs when somebody looks, since it may be in one most of the time.
inline bool tasks_are_let_lie(const crew& c) noexcept
{
    return c.width() == 1 && c.any_worker([](const worker& w) {
        // relaxed (two): see relies_on_others; the monitor notifies again at its next tick. Both,
        // since each lasts longer: the first until the guest comes to wait, the second where it
        // comes all the time.
        return w.relies_on_others.load(std::memory_order_relaxed) &&
               w.has_old_task.load(std::memory_order_relaxed) && !w.tasks.empty();
    });
}

}  // namespace artel::sched
