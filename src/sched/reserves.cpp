// The list of resting reserves, and how others wake or end their OS threads. One lock guards the
// list and the orders for a reserve that is taken out. A reserve that wakes takes itself out,
// unless another thread has, before it looks at its orders. Mail may wake it at the same time.
#include "sched/crew.hpp"

#include <mutex>

namespace artel::sched {

// A reserve without work sleeps outside the idle set: only the monitor, or mail, wakes it.
void crew_workers::rest(worker& w) noexcept
{
    {
        const std::scoped_lock hold(growing_);
        w.next_free = resting_.load(std::memory_order_relaxed);  // relaxed: under the lock
        resting_.store(&w, std::memory_order_relaxed);           // relaxed: under the lock
    }
    // relaxed: read in spin loops, which look again.
    working_reserves_.fetch_sub(1, std::memory_order_relaxed);
    w.resting.store(true, std::memory_order_relaxed);  // relaxed: see takes_mail_soon
    if (w.bed.prepare()) {
        if (w.has_work() || w.offers.waits()) {
            w.bed.cancel();
        } else {
            w.bed.commit();
        }
    }
    w.resting.store(false, std::memory_order_relaxed);          // relaxed: as above
    working_reserves_.fetch_add(1, std::memory_order_seq_cst);  // seq_cst: see rouse_monitor
    rouse_monitor();
    // Only after it has left the list: others may give orders to reserves in it.
    {
        const std::scoped_lock hold(growing_);
        stop_resting(w);
    }
    has_arrived(w);
}

// Takes a reserve out of the list of those that rest. False when it is not there any more. Called
// under the lock.
bool crew_workers::stop_resting(worker& w) noexcept
{
    worker* first = resting_.load(std::memory_order_relaxed);  // relaxed: under the lock
    if (first == &w) {
        resting_.store(w.next_free, std::memory_order_relaxed);  // relaxed: under the lock
        return true;
    }
    for (; first != nullptr; first = first->next_free) {
        if (first->next_free == &w) {
            first->next_free = w.next_free;
            return true;
        }
    }
    return false;
}

// Called by a reserve that has a CPU and is no longer in the list.
void crew_workers::has_arrived(worker& w) noexcept
{
    // acq_rel: one exchange for each time that the monitor has set it.
    if (w.arriving.exchange(false, std::memory_order_acq_rel)) {
        arriving_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see arriving_
    }
}

// Called by the monitor when it is about to start or wake the reserve's OS thread.
void crew_workers::is_to_arrive(worker& w) noexcept
{
    // acq_rel: as in has_arrived; mail may have woken it.
    if (!w.arriving.exchange(true, std::memory_order_acq_rel)) {
        arriving_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see arriving_
    }
}

// Takes a resting reserve out of the list, preferably one that carries nothing; with `any` another
// one will do. Called under the lock.
worker* crew_workers::take_resting(bool any) noexcept
{
    // relaxed: under the lock.
    worker* found = any ? resting_.load(std::memory_order_relaxed) : nullptr;
    worker* before = nullptr;
    worker* before_found = nullptr;
    // relaxed: as above.
    for (worker* w = resting_.load(std::memory_order_relaxed); w != nullptr;
         before = w, w = w->next_free) {
        // relaxed, both: see keeps_to_its_own and home_of.
        if (!w->occupied.load(std::memory_order_relaxed) ||
            w->retiring.load(std::memory_order_relaxed)) {
            found = w;
            before_found = before;
            break;
        }
    }
    if (before_found != nullptr) {
        before_found->next_free = found->next_free;
    } else if (found != nullptr) {
        resting_.store(found->next_free, std::memory_order_relaxed);  // relaxed: under the lock
    }
    return found;
}

// Called by the monitor, and by callers that were promised threads: wakes a resting reserve. False
// when there is none.
bool crew_workers::wake_resting(bool any, bool dedicated) noexcept
{
    worker* w = nullptr;
    {
        const std::scoped_lock hold(growing_);
        w = take_resting(any);
        if (w == nullptr) {
            return false;
        }
        // relaxed (three): see keeps_to_its_own and home_of. Under the lock, because the reserve
        // may be awake, with mail or to end, and about to look.
        w->occupied.store(false, std::memory_order_relaxed);
        w->dedicated.store(dedicated, std::memory_order_relaxed);
        w->retiring.store(false, std::memory_order_relaxed);
        is_to_arrive(*w);
    }
    w->bed.unpark();
    return true;
}

void crew_workers::retire_reserves() noexcept
{
    any_worker([](worker& w) {
        if (w.kind == role::reserve) {
            w.retiring.store(true, std::memory_order_relaxed);  // relaxed: see home_of
        }
        return false;
    });
}

// Called by the monitor and by end_threads(): tells the reserve's OS thread to end, unless it has
// been woken meanwhile, perhaps to help.
void crew_workers::end_rested(worker& w) noexcept
{
    {
        const std::scoped_lock hold(growing_);
        if (!stop_resting(w)) {
            return;
        }
        // relaxed (two): see home_of and to_end. Fibers that it carried go home when they are next
        // made ready.
        w.retiring.store(true, std::memory_order_relaxed);
        w.to_end.store(true, std::memory_order_relaxed);
    }
    w.bed.unpark();
}

}  // namespace artel::sched
