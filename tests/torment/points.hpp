// Included before everything else where ARTEL_TORMENT is on (the dev preset): every atomic
// operation that orders something, and every read-modify-write, becomes a point at which its thread
// may be stopped, right before and right after it. The one after it is the one that matters: a
// thread that has just told others to go on must not touch anything that they may use again.
//
// std::atomic is a macro for a class derived from it, so the code stays as it is. A point makes
// bare system calls only, for the reasons given in tormentor.c. Environment:
//   TORMENT_POINTS    one in so many points stops its thread (default 0: none does)
//   TORMENT_STALL_US  the longest stop (default 3000); half of the stops only give the CPU away
//   TORMENT_SEED      which ones (default 1)
#pragma once

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <latch>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
#include <utility>

namespace artel::torment {

// One for each library. Plain data besides the counter: written before main, by one thread.
struct settings {
    std::uint64_t seed = 1;
    std::uint64_t one_in = 0;
    std::uint64_t stall_us = 3000;
    alignas(64) std::atomic<std::uint64_t> draws{0};
};
inline constinit settings in_force;

__attribute__((constructor(101))) inline void read_settings() noexcept
{
    const auto number = [](const char* name, std::uint64_t otherwise) {
        const char* const text = std::getenv(name);
        return text != nullptr && *text != 0 ? std::strtoull(text, nullptr, 10) : otherwise;
    };
    in_force.seed = number("TORMENT_SEED", 1);
    in_force.stall_us = number("TORMENT_STALL_US", 3000);
    in_force.one_in = number("TORMENT_POINTS", 0);
}

inline long bare_syscall(long call, const void* argument) noexcept
{
    long result = call;
    asm volatile("syscall" : "+a"(result) : "D"(argument), "S"(0) : "rcx", "r11", "memory");
    return result;
}

__attribute__((noinline, cold)) inline void stop(std::uint64_t drawn) noexcept
{
    if (drawn % 2 == 0) {
        bare_syscall(SYS_sched_yield, nullptr);
        return;
    }
    // Of different orders of magnitude: most are short.
    const std::uint64_t most = (in_force.stall_us >> (drawn >> 8) % 12) + 1;
    const timespec time{0, static_cast<long>((drawn >> 16) % most * 1000 % 1000000000)};
    bare_syscall(SYS_nanosleep, &time);
}

inline void point() noexcept
{
    if (in_force.one_in == 0) [[likely]] {
        return;
    }
    // relaxed: any number will do, as long as it is another each time.
    std::uint64_t x = in_force.seed + in_force.draws.fetch_add(1, std::memory_order_relaxed);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    if (x % in_force.one_in == 0) {
        stop(x / in_force.one_in);
    }
}

// A point before and a point after, where the order is one that others rely on.
class around {
public:
    explicit around(bool wanted = true) noexcept : wanted_(wanted)
    {
        if (wanted_) {
            point();
        }
    }
    ~around()
    {
        if (wanted_) {
            point();
        }
    }
    around(const around&) = delete;
    around& operator=(const around&) = delete;

private:
    bool wanted_;
};

template <class T>
class atomic : public std::atomic<T> {
    using base = std::atomic<T>;
    using order = std::memory_order;
    static constexpr order strongest = std::memory_order_seq_cst;

public:
    using base::base;
    using base::operator=;
    constexpr atomic() noexcept = default;

    T load(order o = strongest) const noexcept
    {
        const around points(o != std::memory_order_relaxed);
        return base::load(o);
    }
    void store(T value, order o = strongest) noexcept
    {
        const around points(o != std::memory_order_relaxed);
        base::store(value, o);
    }
    T exchange(T value, order o = strongest) noexcept
    {
        const around points;
        return base::exchange(value, o);
    }
    template <class... Orders>
    bool compare_exchange_strong(T& expected, T value, Orders... orders) noexcept
    {
        const around points;
        return base::compare_exchange_strong(expected, value, orders...);
    }
    template <class... Orders>
    bool compare_exchange_weak(T& expected, T value, Orders... orders) noexcept
    {
        const around points;
        return base::compare_exchange_weak(expected, value, orders...);
    }
    auto fetch_add(auto value, order o = strongest) noexcept
    {
        const around points;
        return base::fetch_add(value, o);
    }
    auto fetch_sub(auto value, order o = strongest) noexcept
    {
        const around points;
        return base::fetch_sub(value, o);
    }
    auto fetch_or(auto value, order o = strongest) noexcept
    {
        const around points;
        return base::fetch_or(value, o);
    }
    auto fetch_and(auto value, order o = strongest) noexcept
    {
        const around points;
        return base::fetch_and(value, o);
    }
    auto fetch_xor(auto value, order o = strongest) noexcept
    {
        const around points;
        return base::fetch_xor(value, o);
    }
};

}  // namespace artel::torment

namespace std {
template <class T>
using artel_tormented = artel::torment::atomic<T>;
}
#define atomic artel_tormented
