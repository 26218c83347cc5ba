// The searchers of the crew: how many there are, who passes the duty to search on, and what is
// there to be found. idle.cpp searches.
#include "sched/crew.hpp"
#include "sched/left_tasks.hpp"

#include <algorithm>

namespace artel::sched {

bool crew_wakeup::begin_search() noexcept
{
    const unsigned limit = std::max(1u, width_ / 2);
    unsigned n = free_.searching.load(std::memory_order_relaxed);  // relaxed: the CAS decides
    while (n < limit) {
        // seq_cst: notify() relies on a searcher that it sees to look at the queues after becoming
        // one (PROTOCOLS.md, lemma 2).
        if (free_.searching.compare_exchange_weak(n, n + 1, std::memory_order_seq_cst,
                                                  std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

// A searcher that found work stops searching; the last one passes the duty on, because further
// pushes relied on it.
void crew_wakeup::end_search(worker& w) noexcept
{
    // seq_cst: pairs with the load in notify().
    if (free_.searching.fetch_sub(1, std::memory_order_seq_cst) == 1) {
        notify(&w);
    }
}

// Whether more threads are active than there should be, `w` included. Then it leaves tasks to the
// others, and to guest_ends(), which sees our mark.
bool crew_wakeup::is_surplus(const worker& w) noexcept
{
    // relaxed (all): ordered by the fences, ours and that of guest_ends().
    if (w.kind != role::own || active() <= static_cast<int>(width_) || tasks_are_let_lie(*this)) {
        return false;
    }
    return still_active_after_mark(static_cast<int>(width_) + 1);
}

bool crew_wakeup::anything_visible(bool fibers_too, bool tasks_too) const noexcept
{
    return any_worker([&](const worker& other) {
        // relaxed: ordered by the fence of the caller.
        return (tasks_too && !other.tasks.empty()) ||
               (fibers_too &&
                (!other.ready.empty() || (!other.mail.empty() && !other.takes_mail_soon())));
    });
}

}  // namespace artel::sched
