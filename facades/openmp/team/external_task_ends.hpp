// Counts threads outside of a team that are ending one of its tasks (any thread may fulfil an
// event). Such a task keeps the team alive only until its end is counted, and the thread that
// counted it has yet to wake the waiters. Members need no count: the region waits for them.
#pragma once

#include <atomic>

namespace artel::openmp {

class external_task_ends {
public:
    // Called while an unfinished task keeps the team. relaxed: a thread that sees the end of the
    // task sees this, too.
    void enter() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }

    // The team may be gone afterwards.
    // release: pairs with any().
    void leave() noexcept { count_.fetch_sub(1, std::memory_order_release); }

    // Called by the thread that is to reuse or free the team, when all tasks are complete. acquire:
    // pairs with leave(): what those threads did to the team comes before.
    bool any() const noexcept { return count_.load(std::memory_order_acquire) != 0; }

private:
    std::atomic<unsigned> count_{0};
};

}  // namespace artel::openmp
