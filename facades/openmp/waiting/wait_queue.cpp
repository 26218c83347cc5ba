// How members spin and sleep in a wait queue; wait_queue.hpp says why no wake-up is lost.
#include "wait_queue.hpp"

#include "base/os/yield.hpp"
#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/spin.hpp"
#include "sched/suspend.hpp"

#include <mutex>
#include <utility>

namespace artel::openmp {

struct wait_queue::sleep_request {
    wait_queue* queue;
    list* where;
    std::uint64_t old;
    wake_reason other;
};

void wait_queue::configure(unsigned lists)
{
    if (lists > list_capacity_) {
        // A list may still be posted although wake_one() has emptied it.
        await_posted();
        list_ = std::make_unique<list[]>(lists);
        list_capacity_ = lists;
        for (unsigned i = 0; i < lists; ++i) {
            list_[i].run = wake_list;
            list_[i].queue = this;
        }
    }
    list_count_ = lists;
}

// Runs on the next fiber's stack: as soon as the sleeper is in the list it may be resumed.
void wait_queue::lie_down(fiber::carrier&, fiber::fiber& sleeper, void* argument)
{
    const sleep_request n = *static_cast<sleep_request*>(argument);  // lies on the sleeper's stack
    {
        list& l = *n.where;
        // Both checks under the lock: wake_one() looks into the list under it, and must not find it
        // still empty.
        const std::scoped_lock hold(l.lock);
        const bool first = l.empty();
        if (first) {
            // seq_cst: the waiter's half of the pairing in wait_queue.hpp.
            n.queue->occupied_.fetch_add(1, std::memory_order_seq_cst);
        }
        base::full_fence();  // as above; also pairs with the fence of code that makes `other` true
        // relaxed: ordered by the fence and the lock.
        if (n.queue->word_.load(std::memory_order_relaxed) == n.old && !n.other.given()) {
            if (sleeper.type == fiber::kind::bound) {
                sleeper.next = l.bound;
                l.bound = &sleeper;
                return;
            }
            sleeper.next = nullptr;
            (l.last != nullptr ? l.last->next : l.first) = &sleeper;
            l.last = &sleeper;
            ++l.count;
            return;
        }
        if (first) {
            // relaxed: taking the announcement back hides nothing.
            n.queue->occupied_.fetch_sub(1, std::memory_order_relaxed);
        }
    }
    sched::make_ready(sleeper);
}

void wait_queue::sleep_at_home(unsigned lists, std::uint64_t old, wake_reason other) noexcept
{
    const sched::worker& w = *sched::this_worker();
    const fiber::carrier* const home = w.current->home;
    // The same choice as sched::home_of makes: a reserve keeps the fibers that it carries.
    const bool stays = home == nullptr || w.kind == sched::role::reserve;
    sleep((stays ? &w : static_cast<const sched::worker*>(home))->index % lists, old, other);
}

void wait_queue::sleep(unsigned which, std::uint64_t old, wake_reason other,
                       fiber::fiber* next) noexcept
{
    sleep_request n{this, &list_[which], old, other};
    sched::worker& w = *sched::this_worker();
    const bool carries = awaited_ != nullptr && w.current->type == fiber::kind::bound;
    if (carries) {
        w.asleep_value = old;
        w.asleep_on = &word_;
        w.waits_for = awaited_;
    }
    const bool slept = next != nullptr ? sched::suspend_for(*next, lie_down, &n)
                                       : sched::suspend(lie_down, &n);
    if (carries) {
        w.asleep_on = nullptr;  // a bound fiber is still on its own worker
        w.waits_for = nullptr;
    }
    if (!slept) {
        // No memory for a stack on which the worker could continue, so this OS thread waits by
        // itself.
        base::os::yield();
    }
}

bool wait_queue::spin(std::uint64_t old, std::uint64_t spin_cycles,
                      wake_reason other) const noexcept
{
    sched::worker& w = *sched::this_worker();  // does not change: we do not switch here
    if (sched::is_carried_by_guest(w)) {
        return opened(old);  // the bound fiber may need this OS thread
    }
    // The first checks come without a pause and without reading the clock: in a tight program the
    // word changes now.
    for (unsigned i = 0; i < 4; ++i) {
        if (opened(old)) {
            return true;
        }
    }
    sched::spin wait(w, spin_cycles);
    do {
        if (opened(old)) {
            return true;
        }
        if (w.has_work() || spin_cycles == 0 || other.given() || wait.others_have_tasks()) {
            return false;
        }
    } while (wait.pause() == sched::spin::advice::again);
    return false;
}

wait_queue::~wait_queue()
{
    await_posted();
}

// A posted list is a work item in the hands of some worker.
void wait_queue::await_posted() noexcept
{
    for (unsigned i = 0; i < list_capacity_; ++i) {
        list& l = list_[i];
        for (;;) {
            {
                const std::scoped_lock hold(l.lock);
                // Not when it was posted before a fork: that worker does not exist in the child.
                if (l.posted_to == nullptr || &l.posted_to->own_crew != &sched::crew::get()) {
                    break;
                }
            }
            if (!sched::yield()) {
                base::os::yield();
            }
        }
    }
}

}  // namespace artel::openmp
