// A colleague that the kernel has put aside. Who waits for somebody's part of a loop while a thread of another program has taken that one's CPU waits for
// a time slice, some milliseconds, with a CPU of its own on which it does nothing. Going to sleep does not help: the kernel's balancer leaves the other where it is,
// because its data are thought to be in the cache there. So the waiter finds out and fetches it.
#pragma once

#include <cstdint>

namespace artel::sched {

struct worker;

class put_aside_watch {
public:
    // To be called now and then by the OS thread of `w`, which has nothing to do but wait; not more often than every 10 us. Whether a colleague that has something to do,
    // and has had no CPU since the last call although it wants one, has been brought to the caller's CPU: now that is to be left to it. About 1 us, when there is
    // somebody some 20 us. Affinity masks stay as they are, and nobody is brought where its mask does not allow it.
    bool look(worker& w) noexcept;

private:
    void watch_next(const worker& w) noexcept;

    worker* watched_ = nullptr;
    std::uint64_t had_ = 0;  // its CPU time when watch_next chose it
    unsigned turn_ = 0;      // whose turn it is, in the crew's table
};

}  // namespace artel::sched
