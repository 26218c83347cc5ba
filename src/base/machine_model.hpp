// Included first by every x_model.cpp: it replaces std::atomic by relacy's simulated atomics, so
// that the project's own headers and sources, included after it, run unchanged under a simulated
// memory model and scheduler (www.1024cores.net, Debian's relacy-dev).
//
// How: all standard headers that the modelled code uses come first, then `atomic` becomes a macro,
// so that `std::atomic<T>` means model::atomic<T> in everything after. base/cpu.hpp takes its
// fence, clock and spin hint from here, and base::modelled shrinks sizes (rings of 2 slots), so
// that wrap-around and growth are reached. Rejected: a `base::atomic` alias in all production code,
// which public headers could not have used.
//
// Breakages. A model that cannot fail proves nothing. Each model lists breakages: a source file, a
// function in it, and a change to the atomic operations or fences there (weaker orders, falsified
// results, no fence). The run passes when the intact code survives all interleavings tried and
// every breakage is caught. The modelled code does not know of this: source_location identifies
// each operation.
#pragma once

#define ARTEL_MODEL 1

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <source_location>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <relacy/relacy.hpp>

// relacy.hpp redefines much of the language; the modelled code must be compiled without that.
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef futex
#undef sched_yield
#undef pthread_t
#undef pthread_attr_t
#undef pthread_create
#undef pthread_join
#undef VAR

// Relacy replaces operator new, but only the operators delete without a size.
void operator delete(void* p, std::size_t) noexcept
{
    ::operator delete(p);
}
void operator delete[](void* p, std::size_t) noexcept
{
    ::operator delete[](p);
}

namespace artel::model {

using where = std::source_location;

// --- breakages -----------------------------------------------------------------------------------

enum class damage {
    no_fence,  // full_fence() does nothing
    relaxed,   // every order becomes relaxed
    zero,      // loads and read-modify-writes return 0
    no_write,  // stores and read-modify-writes change nothing, but report success
    custom,    // the model itself asks broken("name")
};

// `name` is what `--broken NAME` takes; file and function are matched against the ends of __FILE__
// and as a part of the function's signature.
struct breakage {
    const char* name;
    unsigned scenario;  // which scenario must catch it
    damage kind;
    const char* file = "";
    const char* function = "";
};

inline const breakage* in_force = nullptr;

inline bool broken(damage kind, const where& at) noexcept
{
    if (in_force == nullptr || in_force->kind != kind) [[likely]] {
        return false;
    }
    return std::string_view(at.file_name()).ends_with(in_force->file) &&
           std::string_view(at.function_name()).find(in_force->function) != std::string_view::npos;
}

inline bool broken(std::string_view name) noexcept
{
    return in_force != nullptr && in_force->kind == damage::custom && name == in_force->name;
}

// Whether a thread may be stopped also right after a read-modify-write, before it goes on with
// ordinary data. Relacy itself lets other threads run only before each simulated operation, so
// ordinary memory that is read after the operation that lets others go on would always be as fresh
// as that operation. A model of such code sets this.
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

// --- atomics -------------------------------------------------------------------------------------

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
