// The tasks that one slot of an arena has spawned: its owner pushes and takes the youngest, others
// steal the oldest. The owner takes without the lock, in the manner of Cilk's THE protocol (Frigo,
// Leiserson and Randall, "The implementation of the Cilk-5 multithreaded language", PLDI 1998);
// thieves hold the lock. They have to: who waits in isolation takes a task out of the middle, which
// leaves a hole; it holds the lock as well, so that a task that it leaves is visible all the time.
// A thief raises head_, fences, and reads tail_; the owner lowers tail_, fences, and
// reads head_: one of them sees the other, and an owner that does so takes the lock, too.
//
// A thief that looks for a task of a certain isolation puts head_ beyond everything, so that the
// owner cannot take what it looks at. Rejected: the deque of src/sched, which has no holes.
#pragma once

#include "abi.hpp"
#include "base/cpu.hpp"
#include "base/spinlock.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace artel::onetbb {

using abi::d1::task;

// What only tasks of the library's own have in task::traits; see affinity.hpp.
inline constexpr std::uint64_t is_proxy = 1;
// In task::slots, whose low bits are the slot that the task would like to run in.
inline constexpr std::uint64_t is_critical = 1U << 16;

// Isolation 0 is nobody's: who is not isolated takes everything.
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

    // By the owner. May throw std::bad_alloc.
    void push(task& t)
    {
        // relaxed: only the owner writes it.
        const std::int64_t tail = tail_.load(std::memory_order_relaxed);
        if (tail - known_head_ >= capacity_) [[unlikely]] {
            make_room(tail);
        }
        ring_[tail & (capacity_ - 1)] = &t;
        // release: pairs with the acquire in steal(): the task.
        tail_.store(tail + 1, std::memory_order_release);
    }

    // By the owner, before it pushes a task that it will run itself if it comes to that within a
    // microsecond: a thief would get little, and the next one would find its data elsewhere.
    void leave_last_alone() noexcept
    {
        // relaxed: a hint.
        left_alone_until_.store(base::cycles() + base::cycles_per_microsecond(),
                                std::memory_order_relaxed);
    }

    // By the owner: the youngest that it may run; nullptr without one.
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
            // acquire: pairs with the release in steal(): the holes. Which of both sees the other
            // is the fence's.
            if (head_.load(std::memory_order_acquire) > last && !last_is_ours(last)) [[unlikely]] {
                return nullptr;
            }
            // Else a hole.
            if (task* const t = ring_[last & (capacity_ - 1)]; t != nullptr) [[likely]] {
                return t;
            }
        }
    }

    // By others: the oldest that they may run, and for which wanted(task) holds. `closely`: waits
    // for another thief; else there seems to be nothing while one is here, or while a single task
    // is left alone.
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
        // release: pairs with the look at it in pop(); the owner finds the holes.
        head_.store(first, std::memory_order_release);
        lock_.unlock();
        return found;
    }

    // In the child of a fork, by its only thread. A thief that looked at the tasks there does not
    // put head_ back; what lies between the head that the owner knew and the true one are holes.
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
    // The owner's. The ring is replaced by it under the lock.
    std::int64_t known_head_ = 0;
    std::int64_t capacity_ = 0;
    std::unique_ptr<task*[]> ring_;
    std::atomic<std::uint64_t> left_alone_until_{0};  // in cycles
    alignas(base::cache_line) std::atomic<std::int64_t> head_{0};
    base::spinlock lock_;
};

}  // namespace artel::onetbb
