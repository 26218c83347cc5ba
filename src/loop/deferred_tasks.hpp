// Tasks that could not be started when they came, for threads that look for some later.
#pragma once

#include "base/spinlock.hpp"

#include <atomic>
#include <mutex>

namespace artel::loop {

// Task derives from base::work, whose link it uses. Any thread may call anything.
template <class Task>
class deferred_tasks {
public:
    void add(Task& t) noexcept
    {
        const std::scoped_lock hold(lock_);
        t.next = first_;
        first_ = &t;
        count_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see any()
    }

    // nullptr when there is none.
    Task* take() noexcept
    {
        if (!any()) {
            return nullptr;
        }
        const std::scoped_lock hold(lock_);
        Task* const taken = first_;
        if (taken != nullptr) {
            first_ = static_cast<Task*>(taken->next);
            count_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see any()
        }
        return taken;
    }

    // Without the lock: a thread that must not miss an addition fences before, as the adding thread
    // does after. relaxed: ordered by these fences.
    bool any() const noexcept { return count_.load(std::memory_order_relaxed) != 0; }

private:
    std::atomic<unsigned> count_{0};
    base::spinlock lock_;
    Task* first_ = nullptr;
};

}  // namespace artel::loop
