// A worker that was preempted by another program. Others that wait for its part of a loop wait for
// a time slice, some milliseconds, while their own CPUs do nothing. The kernel could move it to one
// of these, but considers that only when a CPU falls idle, and leaves alone a thread that has run
// within the last half millisecond, whose data it takes to be in the cache (sched_migration_cost).
// So a waiter that finds such a peer spins until that time is over, and then takes short naps, each
// of which makes the kernel consider the move again.
//
// Not in crews with more workers than CPUs, whose waiters sleep long before, nor where ARTEL_WAIT
// or OMP_WAIT_POLICY says active.
//
// Rejected: learning from naps in vain. Colleagues blocked in the kernel look the same, but what
// tells them from those put aside by what a nap achieved (how long the colleague ran during it) was
// no better than chance: naps that help need several, and end early.
//
// Rejected: fetching the colleague by its affinity mask. It is faster by a fourth, but the
// colleague may run between the change and its taking back: then the program sees a mask that it
// never set, hands it on to threads and processes that it makes, and loses what it sets itself.
#pragma once

#include <cstdint>

namespace artel::sched {

struct worker;

enum class preempted : std::uint8_t { nobody, perhaps, surely };

class preempted_peer_watch {
public:
    // To be called now and then, some 40 us apart, by the OS thread of `w`, which has nothing to do
    // but wait: whether a colleague that has something to do has had no CPU lately. `perhaps`: for
    // a short time only, to be looked at again; `surely`: for so long that the kernel moves it if
    // it may, so it is time to sleep for a moment. One that is blocked in the kernel looks the
    // same; it is given up soon, until it goes on. Two system calls, about 1 us.
    preempted look(worker& w) noexcept;

private:
    void watch_next(const worker& w) noexcept;

    const worker* watched_ = nullptr;
    std::uint64_t had_ = 0;  // its CPU time, in nanoseconds, ...
    // ... and the base::cycles() when it was first seen to be that.
    std::uint64_t since_ = 0;
    unsigned in_vain_ = 0;                 // how often `surely` has been said since
    const worker* given_up_ = nullptr;     // not watched as long as ...
    std::uint64_t had_when_given_up_ = 0;  // ... its CPU time stays this
    unsigned turn_ = 0;                    // whose turn it is, in the crew's table
};

}  // namespace artel::sched
