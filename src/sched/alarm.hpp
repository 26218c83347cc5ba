// Deadlines of waits: an alarm calls a function when its time has come. One OS thread for the whole
// process, made at the first alarm, sleeps until the earliest alarm; without alarms it sleeps
// indefinitely, so an idle process uses no CPU time.
//
// Callers: waits with a time limit, here and in facades, from any context. An alarm lies on the
// waiter's stack and is guarded by the lock of all alarms from set_alarm to clear_alarm. The
// function runs under that lock, so once clear_alarm has returned it neither runs nor will.
//
// Rejected: scheduling loops that check the clock (a read of it, and of the earliest deadline, at
// every round, and nobody checks when all sleep); the monitor (it does not always run, and its
// ticks are milliseconds); a kernel timer for each wait (two more system calls).
#pragma once

#include <boost/intrusive/set.hpp>
#include <cstdint>

namespace artel::fiber {
struct fiber;
}

namespace artel::sched {

// Nanoseconds of CLOCK_MONOTONIC, which is std::chrono::steady_clock's.
using moment = std::int64_t;

moment now() noexcept;

// Waits that end when a time has come, at a moment: whether there are any, and how many have begun
// ever, modulo 2^32.
struct timed_waits {
    bool any;
    std::uint32_t begun;
};

struct alarm
    : boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> {
    // Called once, at `when` or later, on the alarms' thread and under the lock of all alarms: it
    // must not set or clear alarms, nor make a fiber ready. The fiber that it returns is made ready
    // afterwards; nullptr: none.
    fiber::fiber* (*ring)(alarm& self) noexcept = nullptr;
    moment when = 0;
    bool is_set = false;  // under the lock

    friend bool operator<(const alarm& a, const alarm& b) noexcept { return a.when < b.when; }
};

// Sets an alarm whose `ring` and `when` are filled in. False when there is no thread for it, and
// none can be made. Does not switch.
bool set_alarm(alarm& a) noexcept;

// An alarm that rang or was never set is left alone. Does not switch.
void clear_alarm(alarm& a) noexcept;

// A moment's view. Does not switch.
timed_waits alarms_set() noexcept;

// Ends the alarms' thread, if there is one and no alarm is set, and tells its number; the next
// alarm starts another one. False when an alarm is set.
bool end_alarms_thread(int& number) noexcept;

// In the child of a fork, where neither the thread nor any waiter exists and the lock may have been
// held.
void reset_alarms_after_fork() noexcept;

}  // namespace artel::sched
