// What an external thread leaves when it ends: its slot in the crew's table, for the next new
// thread, and the work in its queues. This may be light threads that it has started and not waited
// for, and work that others have posted to it because its caches are warm; it goes to the crew's
// own threads.
//
// A vacant slot is in no sweep (slot_set.hpp), so nothing may be left in its inbox. Others may
// still post there at any time, to a light thread that the ended thread carried last. A poster
// checks afterwards whether the slot is vacant, and the ending thread checks afterwards whether
// there is mail; between its write and its check each makes a full fence, so one of them sees the
// other.
#include "sched/crew.hpp"

#include <mutex>

namespace artel::sched {

void crew_workers::vacate(worker& w) noexcept
{
    // Nobody reads the counters of a vacant slot. relaxed (all): see concurrent_queued.
    queued_by_ended_.fetch_add(w.concurrent_queued.load(std::memory_order_relaxed),
                               std::memory_order_relaxed);
    w.concurrent_queued.store(0, std::memory_order_relaxed);
    bool nobody = false;  // there is no own thread
    for (deque<base::work>* const queue : {&w.ready, &w.tasks}) {
        while (!nobody && !queue->empty()) {
            // nullptr: a thief was faster.
            if (base::work* const item = queue->steal(); item != nullptr && !forward(*item)) {
                w.mail.post(*item);
                nobody = true;
            }
        }
    }
    {
        const std::scoped_lock hold(growing_);
        --guests_;
        if (!nobody) {  // otherwise thieves must keep looking there
            in_use_.erase(w.index);
        }
        w.vacant.store(true, std::memory_order_relaxed);  // relaxed: ordered by the fence
        vacancies_.insert(w.index);
    }
    if (nobody) {
        return;
    }
    // pairs with the fence in post(): it sees the slot vacant, or we see what it has posted.
    // Another thread may have the slot already; then its mail is forwarded, too, which is harmless.
    base::full_fence();
    forward_mail(w);
}

void crew_workers::forward_mail(worker& ended) noexcept
{
    base::work* left = ended.mail.take_all();
    while (left != nullptr) {
        base::work* const item = left;
        left = item->next;
        if (!forward(*item)) {
            // A thief finds it, or the next guest in this slot.
            ended.mail.post(*item);
            const std::scoped_lock hold(growing_);
            in_use_.insert(ended.index);
        }
    }
}

}  // namespace artel::sched
