// A worker that was preempted by another program. Threads that wait for its part of a loop wait for
// a time slice, some milliseconds, while their own CPUs do nothing. The kernel could move it to one
// of these, but considers that only when a CPU falls idle, and not for a thread that has run within
// the last half millisecond, whose data it assumes to be in the cache (sched_migration_cost). So a
// waiter that finds such a peer spins until that time is over, and then takes short naps, each of
// which makes the kernel consider the move again.
//
// Not in crews with more workers than CPUs, whose waiters sleep long before, nor with ARTEL_WAIT or
// OMP_WAIT_POLICY set to active.
//
// Rejected: learning from naps in vain. Peers blocked in the kernel look the same, but to tell them
// from preempted ones by the effect of a nap (how long the peer ran during it) was no better than
// chance: naps that help need several, and end early.
//
// Rejected: moving the peer by its affinity mask. It is faster by a fourth, but the peer may run
// between the change and its restoration: then the program sees a mask that it never set, passes it
// on to threads and processes that it makes, and loses a mask that it sets itself.
#pragma once

#include <cstdint>

namespace artel::sched {

struct worker;

enum class preempted : std::uint8_t { nobody, perhaps, surely };

class preempted_peer_watch {
public:
    // Called about every 40 us by the OS thread of `w`, which only waits: whether a peer with work
    // has had no CPU lately. `perhaps`: for a short time so far, look again; `surely`: for so long
    // that the kernel would move it, so it is time for a nap. A peer that is blocked in the kernel
    // looks the same; it is soon given up, until it runs again. Two system calls, about 1 us.
    preempted look(worker& w) noexcept;

private:
    void watch_next(const worker& w) noexcept;

    const worker* watched_ = nullptr;
    std::uint64_t had_ = 0;  // its CPU time, in nanoseconds, ...
    // ... and the base::cycles() when it was first seen to be that.
    std::uint64_t since_ = 0;
    unsigned in_vain_ = 0;                 // how often `surely` was the answer since
    const worker* given_up_ = nullptr;     // not watched as long as ...
    std::uint64_t had_when_given_up_ = 0;  // ... its CPU time stays this
    unsigned turn_ = 0;                    // the next index to watch, in the crew's table
};

}  // namespace artel::sched
