// A heap by priority, and by arrival among equals, under one lock. A taker that may run descendants
// of one task only looks through all of it.
#include "task_queue.hpp"

#include "fiber/call_out.hpp"
#include "task.hpp"

#include <algorithm>
#include <mutex>

namespace artel::openmp {

bool task_queue::push(task& t) noexcept
{
    const std::scoped_lock hold(lock_);
    const fiber::call_out guard;
    try {
        heap_.push_back({&t, t.priority, pushed_++});
    } catch (...) {
        return false;
    }
    std::push_heap(heap_.begin(), heap_.end());
    // relaxed: call_helpers makes a full fence afterwards.
    count_.fetch_add(1, std::memory_order_relaxed);
    return true;
}

task* task_queue::take(const task* ancestor) noexcept
{
    const std::scoped_lock hold(lock_);
    if (heap_.empty()) {
        return nullptr;
    }
    task* found = nullptr;
    if (ancestor == nullptr || descends_from(*heap_.front().what, *ancestor)) {
        std::pop_heap(heap_.begin(), heap_.end());
        found = heap_.back().what;
        heap_.pop_back();
    } else {
        auto best = heap_.end();
        for (auto at = heap_.begin(); at != heap_.end(); ++at) {
            if ((best == heap_.end() || *best < *at) && descends_from(*at->what, *ancestor)) {
                best = at;
            }
        }
        if (best == heap_.end()) {
            return nullptr;
        }
        found = best->what;
        heap_.erase(best);
        std::make_heap(heap_.begin(), heap_.end());
    }
    count_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
    return found;
}

}  // namespace artel::openmp
