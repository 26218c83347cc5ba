// A FIFO of tasks for all threads of an arena: enqueued tasks, and critical ones. A task may be in
// it more than once, so it is not linked through the tasks themselves.
#pragma once

#include "task_pool.hpp"

#include <mutex>

namespace artel::onetbb {

class task_queue {
public:
    // relaxed: a guess, or after a fence.
    bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

    // Any thread. May throw std::bad_alloc.
    void put(task& t)
    {
        const std::scoped_lock hold(lock_);
        // relaxed, both: under the lock.
        const std::size_t n = count_.load(std::memory_order_relaxed);
        if (n == capacity_) [[unlikely]] {
            make_room(n);
        }
        at(n) = &t;
        count_.store(n + 1, std::memory_order_relaxed);
    }
    // The oldest task that may run; nullptr without one.
    task* get(std::intptr_t isolation) noexcept
    {
        if (empty()) {
            return nullptr;
        }
        const std::scoped_lock hold(lock_);
        // relaxed, both: under the lock.
        const std::size_t n = count_.load(std::memory_order_relaxed);
        std::size_t i = 0;
        while (i < n && !may_run(*at(i), isolation)) {
            ++i;
        }
        if (i == n) {
            return nullptr;
        }
        task* const t = at(i);
        for (; i != 0; --i) {
            at(i) = at(i - 1);  // closes the gap: tasks before it have other isolations
        }
        ++first_;
        count_.store(n - 1, std::memory_order_relaxed);
        return t;
    }
    void forget_lock() noexcept { new (&lock_) base::spinlock; }

private:
    task*& at(std::size_t i) noexcept { return ring_[(first_ + i) & (capacity_ - 1)]; }
    void make_room(std::size_t n)
    {
        const std::size_t wider = capacity_ == 0 ? 16 : 2 * capacity_;
        std::unique_ptr<task*[]> ring(new task*[wider]);
        for (std::size_t i = 0; i < n; ++i) {
            ring[i] = at(i);
        }
        ring_ = std::move(ring);
        capacity_ = wider;
        first_ = 0;
    }

    base::spinlock lock_;
    // Guarded by the lock.
    std::unique_ptr<task*[]> ring_;
    std::size_t capacity_ = 0;
    std::size_t first_ = 0;
    std::atomic<std::size_t> count_{0};
};

}  // namespace artel::onetbb
