// Tasks of a team that lie in no member's deque: those with a priority, of which the highest runs
// first, and those that became ready by an event fulfilled outside the team, where the fulfilling
// thread has no deque. It is nearly always empty, which one load of the count tells.
#pragma once

#include "base/spinlock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace artel::openmp {

struct task;

class task_queue {
public:
    // An estimate; any thread. relaxed: waiters repeat it.
    bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

    // Any thread. False without memory.
    bool push(task& t) noexcept;

    // Takes the task of the highest priority, the oldest of equals, among those for which
    // suits(task) holds. nullptr when there is none. Any thread of the team.
    template <class Suits>
    task* take(Suits suits) noexcept
    {
        const std::scoped_lock hold(lock_);
        if (heap_.empty()) {
            return nullptr;
        }
        std::size_t best = 0;
        if (!suits(*heap_.front().what)) {
            best = heap_.size();
            for (std::size_t at = 1; at < heap_.size(); ++at) {
                if ((best == heap_.size() || heap_[best] < heap_[at]) && suits(*heap_[at].what)) {
                    best = at;
                }
            }
        }
        return best == heap_.size() ? nullptr : take_at(best);
    }

private:
    // Under the lock.
    task* take_at(std::size_t place) noexcept;

    struct entry {
        task* what;
        int priority;
        std::uint64_t order;
        bool operator<(const entry& other) const noexcept
        {
            return priority != other.priority ? priority < other.priority : order > other.order;
        }
    };
    std::atomic<std::uint32_t> count_{0};
    base::spinlock lock_;
    std::vector<entry> heap_;
    std::uint64_t pushed_ = 0;
};

}  // namespace artel::openmp
