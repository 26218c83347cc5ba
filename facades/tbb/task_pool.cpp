// The rare cases, which take the lock: the ring is full, owner and thief meet at the last task, and
// an owner in isolation takes a task from below others.
#include "task_pool.hpp"

#include <mutex>
#include <utility>

namespace artel::onetbb {

// Called by the owner: the ring is full as far as it knows.
void task_pool::make_room(std::int64_t tail)
{
    const std::scoped_lock hold(lock_);
    // relaxed: under the lock.
    known_head_ = head_.load(std::memory_order_relaxed);
    if (tail - known_head_ < capacity_) {
        return;
    }
    const std::int64_t wider = capacity_ == 0 ? 64 : 2 * capacity_;
    std::unique_ptr<task*[]> ring(new task*[static_cast<std::size_t>(wider)]);
    for (std::int64_t i = known_head_; i < tail; ++i) {
        ring[static_cast<std::size_t>(i & (wider - 1))] = ring_[static_cast<std::size_t>(
            i & (capacity_ - 1))];
    }
    ring_ = std::move(ring);
    capacity_ = wider;
}

// Called by the owner that has lowered the tail to `last` and met a thief: whether the last task is
// still there. If not, the pool is empty.
bool task_pool::last_is_ours(std::int64_t last) noexcept
{
    const std::scoped_lock hold(lock_);
    // relaxed, both: under the lock.
    known_head_ = head_.load(std::memory_order_relaxed);
    if (known_head_ <= last) {
        return true;
    }
    // The next push goes to the head of the thieves.
    tail_.store(known_head_, std::memory_order_relaxed);
    return false;
}

task* task_pool::pop_isolated(std::intptr_t isolation) noexcept
{
    // relaxed, all: only the owner writes the tail; the head is written under the lock.
    if (tail_.load(std::memory_order_relaxed) == known_head_) {
        return nullptr;
    }
    const std::scoped_lock hold(lock_);
    known_head_ = head_.load(std::memory_order_relaxed);
    std::int64_t end = tail_.load(std::memory_order_relaxed);
    task* found = nullptr;
    for (std::int64_t i = end; i-- > known_head_ && found == nullptr;) {
        task*& at = ring_[static_cast<std::size_t>(i & (capacity_ - 1))];
        if (at != nullptr && may_run(*at, isolation)) {
            found = std::exchange(at, nullptr);
        }
        if (at == nullptr && i == end - 1) {
            end = i;
        }
    }
    // relaxed: what lies below has not changed.
    tail_.store(end, std::memory_order_relaxed);
    return found;
}

}  // namespace artel::onetbb
