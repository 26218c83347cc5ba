// Times of stuckness and their limits: CPU time from the thread's clock, switches from the worker's
// counter, and for one that seems blocked its state in /proc.
#include "sched/observation.hpp"

#include "base/os/thread_clock.hpp"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace artel::sched {
namespace {

constexpr std::uint64_t stuck_after_cpu = 6000000;     // ns on the CPU without a switch
constexpr std::uint64_t stuck_after_wall = 100000000;  // ns without a switch, whatever the reason
constexpr std::uint64_t quiet_after_wall = 8000000;    // ns without a switch and ...
// ... nearly without CPU time: probably blocked in the kernel.
constexpr std::uint64_t quiet_cpu = 200000;
constexpr unsigned longest_rest = 5;  // seconds that a reserve rests before its OS thread ends

}  // namespace

bool observation::has_rested_enough(const worker& w) noexcept
{
    // relaxed (two): estimates; a rest matters only after seconds.
    if (w.kind != role::reserve || !w.resting.load(std::memory_order_relaxed)) {
        seconds_at_rest_ = 0;
        return false;
    }
    const std::uint64_t switches = w.switches.load(std::memory_order_relaxed);
    if (seconds_at_rest_ == 0 || switches != switches_at_rest_) {
        switches_at_rest_ = switches;
        seconds_at_rest_ = 1;
        return false;
    }
    return ++seconds_at_rest_ > longest_rest;
}

std::uint64_t observation::used_outside(const worker& w) noexcept
{
    // relaxed: a hint. A thread that has ended has no clock.
    if (w.kind != role::guest || w.vacant.load(std::memory_order_relaxed)) {
        return 0;
    }
    // relaxed: as in is_stuck.
    const int clock = w.cpu_clock.load(std::memory_order_relaxed);
    if (clock == 0) {
        return 0;  // the thread just begins or ends
    }
    const std::uint64_t cpu = base::os::read_clock(clock);
    const std::uint64_t used = cpu > guest_cpu_ ? cpu - guest_cpu_ : 0;
    const bool first = guest_cpu_ == 0;
    guest_cpu_ = cpu;
    return first || w.taking_part.load(std::memory_order_relaxed) ? 0 : used;  // relaxed: a sample
}

bool observation::is_stuck(const worker& w, bool& computes, bool& quiet) noexcept
{
    // relaxed, all: a stale value delays the answer by a tick.
    const int clock = w.cpu_clock.load(std::memory_order_relaxed);
    const std::uint64_t switches = w.switches.load(std::memory_order_relaxed);
    const std::uint64_t wall = base::os::read_clock(CLOCK_MONOTONIC);
    // A thread that has not begun has used no CPU.
    const std::uint64_t cpu = clock != 0 ? base::os::read_clock(clock) : 0;
    if (switches != switches_ || wall_ == 0 || clock == 0 || cpu < cpu_ || w.takes_mail_soon()) {
        switches_ = switches;
        wall_ = wall;
        cpu_ = cpu;
        return false;
    }
    computes = cpu - cpu_ >= stuck_after_cpu;
    quiet = wall - wall_ >= quiet_after_wall && cpu - cpu_ < quiet_cpu;
    return computes || wall - wall_ >= stuck_after_wall;
}

bool is_blocked(const worker& w) noexcept
{
    // As Linux makes clocks of threads. relaxed: as in is_stuck.
    const int tid = ~(w.cpu_clock.load(std::memory_order_relaxed) >> 3);
    char text[256];
    std::snprintf(text, sizeof text, "/proc/self/task/%d/stat", tid);
    const int file = ::open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    const ssize_t length = ::read(file, text, sizeof text - 1);
    ::close(file);
    text[length > 0 ? length : 0] = 0;
    const char* const name_ends = std::strrchr(text, ')');
    return name_ends != nullptr && (name_ends[2] == 'S' || name_ends[2] == 'D');
}

left_task::decision look_at(left_task& seen, worker& w) noexcept
{
    // relaxed: as in is_stuck.
    const std::uint64_t cpu = base::os::read_clock(w.cpu_clock.load(std::memory_order_relaxed));
    return seen.look(
        {.oldest = w.tasks.oldest(),
         .group_events = w.group_events.value(),
         .cpu = cpu,
         .wall = base::os::read_clock(CLOCK_MONOTONIC)},
        // In one of our waits it comes for its tasks itself. relaxed: an estimate.
        [&] { return !w.taking_part.load(std::memory_order_relaxed) && is_blocked(w); });
}

}  // namespace artel::sched
