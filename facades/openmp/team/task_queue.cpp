// A heap by priority, and by arrival among equals, under one lock. A taker that may not run the
// first looks through all of it.
#include "task_queue.hpp"

#include "fiber/call_out.hpp"
#include "task.hpp"

#include <algorithm>

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

task* task_queue::take_at(std::size_t place) noexcept
{
    task* const found = heap_[place].what;
    if (place == 0) {
        std::pop_heap(heap_.begin(), heap_.end());
        heap_.pop_back();
    } else {
        heap_.erase(heap_.begin() + static_cast<std::ptrdiff_t>(place));
        std::make_heap(heap_.begin(), heap_.end());
    }
    count_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
    return found;
}

}  // namespace artel::openmp
