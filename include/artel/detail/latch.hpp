// A one-shot event in one word, for exactly one waiter: the end of a fork-join task, of a light
// thread, of a suspension. Public only because it is embedded in the program's frames; programs use
// artel::latch.
//
// States: pending -> set; pending -> waiting fiber -> set; pending -> sleeping OS thread -> set;
// pending -> abandoned -> set.
//
// WARNING: as soon as set() has exchanged the word, the waiter may continue, return, and free the
// latch with everything around it. So set() uses only the exchange's result and does not touch the
// latch afterwards, and neither may its caller touch what belongs to the waiter.
#pragma once

#include <artel/export.hpp>
#include <atomic>
#include <cstdint>

namespace artel::sched {

class ARTEL_API latch {
public:
    constexpr latch() noexcept = default;
    latch(const latch&) = delete;
    latch& operator=(const latch&) = delete;

    // acquire: pairs with the exchange in set(): what was done before it is seen.
    bool is_set() const noexcept { return word_.load(std::memory_order_acquire) == set_; }

    // Sets the latch and makes its waiter ready. Returns true when the latch had been abandoned:
    // the caller then frees what it guards. Any thread; once; does not switch.
    bool set() noexcept;

    // Returns when the latch is set: spins briefly, then suspends the calling context. One waiter
    // at most. Switches.
    void wait() noexcept;

    // As wait(), for callers that know that spinning is useless: the event needs the caller's
    // worker, or takes longer.
    void wait_without_spinning() noexcept;

    // Declares that no one will wait. Returns false when the latch is already set: the caller then
    // frees what it guards.
    bool abandon() noexcept;

    // For the owner, while no other thread knows the latch. relaxed: making the latch known to
    // another thread publishes it.
    void reset() noexcept { word_.store(pending, std::memory_order_relaxed); }

private:
    static constexpr std::uintptr_t pending = 0;
    static constexpr std::uintptr_t set_ = 1;
    // an OS thread waits in the kernel: nothing could be suspended.
    static constexpr std::uintptr_t sleeping = 2;
    static constexpr std::uintptr_t abandoned = 3;
    // Any other value is the address of the waiting fiber.

    friend struct latch_access;

    std::atomic<std::uintptr_t> word_{pending};
};

}  // namespace artel::sched
