// Included first by every x_model.cpp: it replaces std::atomic by relacy's simulated atomics, so
// that the project's own headers and sources, included after it, run unchanged under a simulated
// memory model and scheduler (www.1024cores.net, Debian's relacy-dev).
//
// How: all standard headers that the modelled code uses come first, then `atomic` becomes a macro,
// so that `std::atomic<T>` means model::atomic<T> in everything after. base/cpu.hpp takes its
// fence, clock and spin hint from here, and base::modelled shrinks sizes (rings of 2 slots), so
// that wrap-around and growth are reached. Rejected: a `base::atomic` alias in all production code,
// which public headers could not have used.
#pragma once

#include "base/atomic_model.hpp"
#include "base/breakage_model.hpp"
#include "base/relacy_model.hpp"

namespace artel::model {

// For spin loops. Relacy's own yield promises that no value seen before it is read again, which
// hides bugs, and which only its exhaustive schedulers need to leave a loop.
inline void yield() noexcept
{
    if (rl::ctx().is_random_sched()) {
        rl::ctx().sched();
    } else {
        rl::yield(1, {});
    }
}

// Ordinary data whose accesses must be ordered by other operations: relacy reports a race on it.
template <class T>
class plain {
public:
    explicit plain(T value = T{}) : impl_(value) {}
    T get(where at = where::current()) const { return impl_(info(at)).load(); }
    void set(T value, where at = where::current()) { impl_(info(at)).store(value); }

private:
    mutable rl::var<T> impl_;
};

inline void check(bool holds, const char* what, where at = where::current())
{
    if (!holds) {
        rl::ctx().fail_test(what, rl::test_result_user_assert_failed, info(at));
    }
}

// The model's thread that executes the caller.
inline unsigned this_thread() noexcept
{
    return rl::thread_index();
}

// The kernel's futex: compares and blocks in one step, ordered by its own lock. It never returns
// without a wake, though the real one may: a spurious return would hide a lost wake-up.
template <class T>
void futex_wait(atomic<T>& word, T expected, where at = where::current()) noexcept
{
    rl::context& c = rl::ctx();
    c.sched();
    c.atomic_thread_fence_seq_cst();
    T found;
    {
        rl::preemption_disabler whole(c);
        found = word.simulated().load(rl::mo_acquire, info(at));
    }
    if (found == expected) {
        word.simulated().wait(c, false, false, info(at));
    }
}

template <class T>
void futex_wake(atomic<T>& word, int count, where at = where::current()) noexcept
{
    rl::context& c = rl::ctx();
    c.sched();
    c.atomic_thread_fence_seq_cst();
    word.simulated().wake(c, std::min(count, 64), info(at));
}

// An event between simulated OS threads, independent of the modelled protocols: waiting for it
// blocks the OS thread, as a blocking system call in a task does.
class os_event {
public:
    void add()
    {
        count_.fetch_add(1, std::memory_order_acq_rel);
        futex_wake(count_, 64);
    }
    void wait_for(std::uint32_t n)
    {
        for (;;) {
            const std::uint32_t found = count_.load(std::memory_order_acquire);
            if (found >= n) {
                return;
            }
            futex_wait(count_, found);
        }
    }

private:
    atomic<std::uint32_t> count_{0};
};

// Lets up to `most` steps of the simulation pass. Used before work is made visible, so that other
// threads are at any stage of falling asleep; and after it, without any synchronisation: a write
// may stay invisible that long unless the protocol has a fence.
inline void linger(unsigned most)
{
    for (unsigned n = rl::rand(most); n != 0; --n) {
        yield();
    }
}

}  // namespace artel::model

// The processor of base/cpu.hpp.
namespace artel::base {

inline void cpu_relax() noexcept
{
    model::yield();
}

inline void full_fence(model::where at = model::where::current()) noexcept
{
    if (!model::broken(model::damage::no_fence, at)) {
        rl::atomic_thread_fence(rl::mo_seq_cst, model::info(at));
    }
}

inline void fence_after_change(model::where at = model::where::current()) noexcept
{
    full_fence(at);
}

inline void prefetch_for_writing(const void*) noexcept {}

// Only compared with itself; many steps pass at every call.
inline std::uint64_t cycles() noexcept
{
    static std::uint64_t now = 0;
    return now += 1000;
}

}  // namespace artel::base

// From here on the project's code finds simulated atomics under the standard name.
namespace std {
template <class T>
using artel_simulated = artel::model::atomic<T>;
}
#define atomic artel_simulated
#define sched_yield artel_yield
inline int artel_yield() noexcept
{
    artel::model::yield();
    return 0;
}
