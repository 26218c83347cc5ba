// std::atomic for models: relacy's simulated atomics behind the standard's interface, with the
// breakages and the interruptions of base/machine_model.hpp's machine.
#pragma once

#include "base/breakage_model.hpp"

namespace artel::model {

// Whether a thread may be stopped also right after a read-modify-write, before it continues with
// ordinary data. Relacy itself lets other threads run only before each simulated operation, so
// ordinary memory that is read after the operation that lets others continue would always be as
// fresh as that operation. A model of such code sets this.
inline bool stop_after_change = false;

// Now and then it is stopped there for up to this many steps of its own, like a thread that has
// lost its CPU: long enough for others to do longer things in between.
inline unsigned stop_for = 0;

inline void maybe_stop() noexcept
{
    if (stop_after_change) [[unlikely]] {
        rl::ctx().sched();
    }
    if (stop_for != 0 && rl::rand(8) == 0) [[unlikely]] {
        for (unsigned n = rl::rand(stop_for); n != 0; --n) {
            rl::ctx().sched();
        }
    }
}

// The kernel may interrupt a thread before any of its operations, for a signal handler.
inline void (*interrupt)() = nullptr;

inline void maybe_interrupt()
{
    if (interrupt != nullptr) [[unlikely]] {
        interrupt();
    }
}

inline rl::debug_info info(const where& at) noexcept
{
    return {at.function_name(), at.file_name(), at.line()};
}

inline rl::memory_order order(std::memory_order o, const where& at) noexcept
{
    if (broken(damage::relaxed, at)) {
        return rl::mo_relaxed;
    }
    switch (o) {
    case std::memory_order_relaxed: return rl::mo_relaxed;
    case std::memory_order_consume: return rl::mo_consume;
    case std::memory_order_acquire: return rl::mo_acquire;
    case std::memory_order_release: return rl::mo_release;
    case std::memory_order_acq_rel: return rl::mo_acq_rel;
    default: return rl::mo_seq_cst;
    }
}

template <class T>
class atomic {
public:
    constexpr atomic() noexcept : atomic(T{}) {}
    // Constants (constinit tables) and objects made before the simulation have no simulated object
    // before the model makes them anew inside an iteration.
    constexpr atomic(T value) noexcept : unmade_{}
    {
        if (!std::is_constant_evaluated() && rl::is_ctx()) {
            new (&impl_) rl::atomic<T>(value);
        }
    }
    // Relacy recognises a destroyed object by a number in it, which its destructor sets to zero; an
    // optimising compiler would remove that store as dead.
    ~atomic()
    {
        std::destroy_at(&impl_);
        std::memset(static_cast<void*>(&impl_), 0, sizeof impl_);
        asm volatile("" ::"r"(&impl_) : "memory");
    }
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order o, where at = where::current()) const noexcept
    {
        maybe_interrupt();
        const T found = impl_.load(order(o, at), info(at));
        return broken(damage::zero, at) ? T{} : found;
    }
    void store(T value, std::memory_order o, where at = where::current()) noexcept
    {
        maybe_interrupt();
        if (!broken(damage::no_write, at)) {
            impl_.store(value, order(o, at), info(at));
        }
    }
    T exchange(T value, std::memory_order o, where at = where::current()) noexcept
    {
        return change<rl::rmw_type_swap>(value, o, at);
    }
    T fetch_add(auto value, std::memory_order o, where at = where::current()) noexcept
    {
        return change<rl::rmw_type_add>(T(value), o, at);
    }
    T fetch_sub(auto value, std::memory_order o, where at = where::current()) noexcept
    {
        return change<rl::rmw_type_sub>(T(value), o, at);
    }
    T fetch_or(T value, std::memory_order o, where at = where::current()) noexcept
    {
        return change<rl::rmw_type_or>(value, o, at);
    }
    T fetch_and(T value, std::memory_order o, where at = where::current()) noexcept
    {
        return change<rl::rmw_type_and>(value, o, at);
    }

    bool compare_exchange_strong(T& expected, T value, std::memory_order yes, std::memory_order no,
                                 where at = where::current()) noexcept
    {
        return compare<false>(expected, value, yes, no, at);
    }
    bool compare_exchange_weak(T& expected, T value, std::memory_order yes, std::memory_order no,
                               where at = where::current()) noexcept
    {
        return compare<true>(expected, value, yes, no, at);
    }

    bool compare_exchange_strong(T& expected, T value, std::memory_order both,
                                 where at = where::current()) noexcept
    {
        return compare<false>(expected, value, both, both, at);
    }
    bool compare_exchange_weak(T& expected, T value, std::memory_order both,
                               where at = where::current()) noexcept
    {
        return compare<true>(expected, value, both, both, at);
    }

    rl::atomic<T>& simulated() noexcept { return impl_; }

private:
    template <rl::rmw_type_e kind>
    T change(T value, std::memory_order o, const where& at) noexcept
    {
        maybe_interrupt();
        if (broken(damage::no_write, at)) {
            return impl_.load(rl::mo_relaxed, info(at));
        }
        const T found = impl_.rmw(rl::rmw_type_t<kind>(), value, order(o, at), info(at));
        maybe_stop();
        return broken(damage::zero, at) ? T{} : found;
    }
    template <bool weak>
    bool compare(T& expected, T value, std::memory_order yes, std::memory_order no,
                 const where& at) noexcept
    {
        maybe_interrupt();
        if (broken(damage::no_write, at)) {
            return impl_.load(rl::mo_relaxed, info(at)) == expected;
        }
        // Relacy knows only failure orders that are no stronger than the order of success; an
        // acquire fence replaces the others.
        if (impl_.compare_exchange(rl::bool_t<weak>(), expected, value, order(yes, at),
                                   rl::mo_relaxed, info(at))) {
            maybe_stop();
            return true;
        }
        if (const rl::memory_order o = order(no, at); o != rl::mo_relaxed && o != rl::mo_release) {
            rl::atomic_thread_fence(rl::mo_acquire, info(at));
        }
        return false;
    }

    union {
        char unmade_;
        rl::atomic<T> impl_;
    };
};

}  // namespace artel::model
