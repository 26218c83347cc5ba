// Waking a worker for work that any worker may take, or leaving it to the active ones
// (PROTOCOLS.md, held back). The common case, in which nothing is to be done, is notify() in the
// header.
#include "sched/crew.hpp"
#include "sched/left_tasks.hpp"

namespace artel::sched {

// Makes an own worker if there may be more.
void crew_wakeup::make_missing_worker() noexcept
{
    // The first missing one: teams of several external threads do not make theirs in order.
    for (unsigned i = 0; i < own_worker_limit(); ++i) {
        // relaxed: own_worker() checks itself.
        if (members_[i].load(std::memory_order_relaxed) == nullptr) {
            own_worker(i);
            return;
        }
    }
}

// The slow path of notify(): nobody is searching, and a worker is idle or could be made.
void crew_wakeup::wake_somebody(worker* near) noexcept
{
    // relaxed: ordered by the fence of notify().
    const bool someone_idle = free_.idle.load(std::memory_order_relaxed) != 0;
    // relaxed: a balance figure.
    if (active() >= static_cast<int>(width_)) {
        // relaxed: ordered by our fence and that in the notify() of the thread that clears the
        // mark.
        if (held_back_.load(std::memory_order_relaxed)) {
            return;
        }
        if (still_active_after_mark(static_cast<int>(width_)) && !tasks_are_let_lie(*this)) {
            return;
        }
    }
    if (!someone_idle) {
        make_missing_worker();
        return;
    }
    worker* woken = nullptr;
    any_worker_from(near != nullptr ? near->index : 0, [&](worker& v) {
        // relaxed: a hint; the exchange decides. Guests that wait for something of their own are
        // idle too and may help.
        if (!v.idle.load(std::memory_order_relaxed)) {
            return false;
        }
        woken = &v;
        return true;
    });
    if (woken == nullptr) {
        // The counted worker is on its way into the idle set, and its last look sees the work; or
        // on its way out, perhaps for work of its own only.
        make_missing_worker();
        return;
    }
    free_.searching.fetch_add(1, std::memory_order_seq_cst);       // seq_cst: as in begin_search
    if (woken->idle.exchange(false, std::memory_order_acq_rel)) {  // acq_rel: pairs with leave_idle
        free_.idle.fetch_sub(1, std::memory_order_seq_cst);        // seq_cst: as in leave_idle
        note_cpu_of_waker();
        woken->bed.unpark();
        return;
    }
    // The worker left by itself. Others may meanwhile have relied on this searcher that never was
    // (PROTOCOLS.md, lemma 2), so the check starts again.
    free_.searching.fetch_sub(1, std::memory_order_seq_cst);  // seq_cst: as in end_search
    notify(near);
}

// Marks that tasks are left to the active threads. Returns whether at least `least` still are:
// these then see the mark.
bool crew_wakeup::still_active_after_mark(int least) noexcept
{
    held_back_.store(true, std::memory_order_relaxed);  // relaxed: ordered by the fence
    base::full_fence();  // pairs with guest_ends(): it sees the mark or we see that it has left
    return active() >= least;
}

}  // namespace artel::sched
