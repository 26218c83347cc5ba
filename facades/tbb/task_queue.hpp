// Tasks that anybody in an arena takes, the oldest first: what was enqueued, and what is critical.
#pragma once

#include "task_pool.hpp"

#include <mutex>

namespace artel::onetbb {

class task_queue {
public:
    // relaxed: a guess, or after a fence.
    bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

    // Any thread.
    void put(task& t) noexcept
    {
        t.next = nullptr;
        const std::scoped_lock hold(lock_);
        *end_ = &t;
        end_ = &t.next;
        count_.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
    }
    // The oldest that may be run; nullptr without one.
    task* get(std::intptr_t isolation) noexcept
    {
        if (empty()) {
            return nullptr;
        }
        const std::scoped_lock hold(lock_);
        for (task** at = &first_; *at != nullptr; at = &(*at)->next) {
            task* const t = *at;
            if (may_run(*t, isolation)) {
                *at = t->next;
                if (end_ == &t->next) {
                    end_ = at;
                }
                count_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
                return t;
            }
        }
        return nullptr;
    }
    void forget_lock() noexcept { new (&lock_) base::spinlock; }

private:
    base::spinlock lock_;
    task* first_ = nullptr;
    task** end_ = &first_;
    std::atomic<unsigned> count_{0};
};

}  // namespace artel::onetbb
