// Foreign code that the runtime calls: the program's allocator, the C library, which may also have
// been replaced. It can call sched_yield, which the drop-in interposes; a switch there would happen
// under one of our locks, or in the middle of a change to a queue.
#pragma once

#include "fiber/fiber.hpp"

#include <mutex>

namespace artel::fiber {

#if defined(ARTEL_MODEL)

struct call_out {
    call_out() noexcept {}
};

#else

// While one exists no code on this OS thread may switch: sched_yield only gives the CPU away.
// Needed where memory is allocated or freed, or a thread made, under a lock or with a worker's
// queue half changed. Must not be held across a switch.
class call_out {
public:
    call_out() noexcept : block_(this_tls()) { ++block_.calls_out; }
    call_out(const call_out&) = delete;
    call_out& operator=(const call_out&) = delete;
    ~call_out() { --block_.calls_out; }

private:
    tls_block& block_;
};

#endif

// A lock under which foreign code is called.
template <class Lock>
class call_out_lock {
public:
    explicit call_out_lock(Lock& lock) : hold_(lock) {}

private:
    call_out guard_;  // from before the lock until after it
    std::scoped_lock<Lock> hold_;
};

}  // namespace artel::fiber
