// Threads outside of a team that are ending one of its tasks: any thread may fulfil an event. Such
// a task keeps the team only until its end is counted, and the thread that counted it has yet to
// wake those that wait for that. Members need not be counted: the region waits for them.
#pragma once

#include <atomic>

namespace artel::openmp {

class outsiders {
public:
    // While something keeps the team.
    // relaxed: whoever learns that the task has ended learns of this, too.
    void enter() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

    // The team may be gone afterwards.
    // release: pairs with any().
    void leave() noexcept { count_.fetch_sub(1, std::memory_order_release); }

    // By who is to use the team again, or to free it, when all tasks are complete.
    // acquire: what they did to the team comes before.
    bool any() const noexcept { return count_.load(std::memory_order_acquire) != 0; }

private:
    std::atomic<unsigned> count_{0};
};

}  // namespace artel::openmp
