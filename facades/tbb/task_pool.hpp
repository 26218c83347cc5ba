// The deque of tasks that were spawned in one slot: the owner pushes and pops the youngest, thieves
// steal the oldest. The owner works without the lock, by Cilk's THE protocol (Frigo, Leiserson and
// Randall, "The implementation of the Cilk-5 multithreaded language", PLDI 1998). Thieves hold the
// lock. So does an owner that waits in isolation, when it takes a task out of the middle, which
// leaves a hole: the tasks that it skips stay visible. A thief raises head_, makes a fence and
// reads tail_; the owner lowers tail_, makes a fence and reads head_. So one of the two sees the
// other, and the owner then takes the lock, too.
//
// A thief that looks for a task of a certain isolation sets head_ beyond all tasks, so that the
// owner cannot take the one it examines. Rejected: the deque of src/sched, which has no holes.
#pragma once

#include "abi.hpp"
#include "base/cpu.hpp"
#include "base/spinlock.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace artel::onetbb {

using abi::d1::task;

// A bit in task::traits that only proxies have; see affinity.hpp.
inline constexpr std::uint64_t is_proxy = 1;
// A bit in task::slots, whose low bits are the slot for which the task has an affinity.
inline constexpr std::uint64_t is_critical = 1U << 16;

// Isolation 0 means none: a thread that is not isolated takes everything.
inline bool may_run(const task& t, std::intptr_t isolation) noexcept
{
    return isolation == 0 || t.isolation == isolation;
}

class task_pool {
public:
    task_pool() = default;
    task_pool(const task_pool&) = delete;
    task_pool& operator=(const task_pool&) = delete;

    // Whether there seems to be something. Any thread. relaxed, both: a guess, or after a fence.
    bool empty() const noexcept
    {
        const std::int64_t head = head_.load(std::memory_order_relaxed);
        return head >= tail_.load(std::memory_order_relaxed) && head != beyond;
    }

    // Called by the owner. May throw std::bad_alloc.
    void push(task& t)
    {
        // relaxed: only the owner writes it.
        const std::int64_t tail = tail_.load(std::memory_order_relaxed);
        if (tail - known_head_ >= capacity_) [[unlikely]] {
            make_room(tail);
        }
        ring_[tail & (capacity_ - 1)] = &t;
        // release: pairs with the acquire in steal(); publishes the task.
        tail_.store(tail + 1, std::memory_order_release);
    }

    // Called by the owner before it pushes a task that it will probably run itself within a
    // microsecond. Stealing it would gain little and move its data.
    void leave_last_alone() noexcept
    {
        // relaxed: a hint.
        left_alone_until_.store(base::cycles() + base::cycles_per_microsecond(),
                                std::memory_order_relaxed);
    }

    // Called by the owner: the youngest task that it may run; nullptr without one.
    task* pop(std::intptr_t isolation) noexcept
    {
        if (isolation != 0) [[unlikely]] {
            return pop_isolated(isolation);
        }
        for (;;) {
            // relaxed: only the owner writes it.
            const std::int64_t last = tail_.load(std::memory_order_relaxed) - 1;
            if (last < known_head_) {
                return nullptr;
            }
            tail_.store(last, std::memory_order_relaxed);  // relaxed: ordered by the fence
            // store-buffering pair with the fences of thieves.
            base::full_fence();
            // acquire: pairs with the release in steal(), for the holes. The fences make sure that
            // one of the two sees the other.
            if (head_.load(std::memory_order_acquire) > last && !last_is_ours(last)) [[unlikely]] {
                return nullptr;
            }
            // Else a hole.
            if (task* const t = ring_[last & (capacity_ - 1)]; t != nullptr) [[likely]] {
                return t;
            }
        }
    }

    // Called by thieves: the oldest task that they may run and for which wanted(task) holds.
    // `closely`: waits for another thief. Otherwise the pool counts as empty while another thief is
    // here, or while its only task is reserved for the owner.
    template <class Wanted>
    task* steal(std::intptr_t isolation, Wanted wanted, bool closely) noexcept
    {
        if (empty()) {
            return nullptr;
        }
        if (closely) {
            lock_.lock();
        } else if (last_is_left_alone() || !lock_.try_lock()) {
            return nullptr;
        }
        task* found = nullptr;
        // relaxed, both: under the lock; ordered by the fence.
        const std::int64_t head = head_.load(std::memory_order_relaxed);
        head_.store(beyond, std::memory_order_relaxed);
        // store-buffering pair with the fence in pop().
        base::full_fence();
        // acquire: pairs with push().
        const std::int64_t tail = tail_.load(std::memory_order_acquire);
        std::int64_t first = head;
        for (std::int64_t i = head; i < tail; ++i) {
            task*& at = ring_[i & (capacity_ - 1)];
            if (at != nullptr && may_run(*at, isolation) && wanted(*at)) {
                found = at;
                at = nullptr;
            }
            if (at == nullptr && first == i) {
                ++first;
            }
            if (found != nullptr) {
                break;
            }
        }
        // release: pairs with the acquire in pop(); publishes the holes to the owner.
        head_.store(first, std::memory_order_release);
        lock_.unlock();
        return found;
    }

    // Called in the child of a fork by its only thread. A thief that examined tasks at the fork
    // does not set head_ back. Between the owner's last known head and the true one there are only
    // holes.
    void forget_thief() noexcept
    {
        new (&lock_) base::spinlock;
        // relaxed, both: nobody else is here.
        if (head_.load(std::memory_order_relaxed) == beyond) {
            head_.store(known_head_, std::memory_order_relaxed);
        }
    }

private:
    static constexpr std::int64_t beyond = INT64_MAX / 2;

    bool last_is_left_alone() const noexcept
    {
        // relaxed, all: hints.
        const std::uint64_t until = left_alone_until_.load(std::memory_order_relaxed);
        return until != 0 && base::cycles() < until &&
               tail_.load(std::memory_order_relaxed) - head_.load(std::memory_order_relaxed) <= 1;
    }

    void make_room(std::int64_t tail);
    bool last_is_ours(std::int64_t last) noexcept;
    task* pop_isolated(std::intptr_t isolation) noexcept;

    alignas(base::cache_line) std::atomic<std::int64_t> tail_{0};
    // Used by the owner only, which replaces the ring under the lock.
    std::int64_t known_head_ = 0;
    std::int64_t capacity_ = 0;
    std::unique_ptr<task*[]> ring_;
    std::atomic<std::uint64_t> left_alone_until_{0};  // in cycles
    alignas(base::cache_line) std::atomic<std::int64_t> head_{0};
    base::spinlock lock_;
};

}  // namespace artel::onetbb
