// Sleeping and waking in a waiting room; the argument is in room.hpp.
#include "room.hpp"

#include "sched/crew.hpp"
#include "sched/spin.hpp"

#include <mutex>

namespace artel::openmp {

struct waiting_room::nap {
    waiting_room* room;
    list* where;
    std::uint64_t old;
    wake_reason other;
};

void waiting_room::configure(unsigned lists)
{
    if (lists > list_capacity_) {
        list_ = std::make_unique<list[]>(lists);
        list_capacity_ = lists;
    }
    list_count_ = lists;
}

// Runs on the next fiber's stack: from the moment it is in the list the sleeper may be resumed.
void waiting_room::lie_down(fiber::carrier&, fiber::fiber& sleeper, void* argument)
{
    const nap n = *static_cast<nap*>(argument);                 // lies on the sleeper's stack
    n.room->sleepers_.fetch_add(1, std::memory_order_seq_cst);  // seq_cst: the waiter's half of the pairing in room.hpp
    base::full_fence();
    {
        // Both looks under the lock: whoever wakes one for another reason looks into the list under it, and must not find it still empty.
        const std::scoped_lock hold(n.where->lock);
        // relaxed: ordered by the fence and the lock.
        if (n.room->word_.load(std::memory_order_relaxed) == n.old && !n.other.given()) {
            sleeper.next = nullptr;
            (n.where->last != nullptr ? n.where->last->next : n.where->first) = &sleeper;
            n.where->last = &sleeper;
            return;
        }
    }
    n.room->sleepers_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: taking the announcement back hides nothing
    sched::make_ready(sleeper);
}

void waiting_room::sleep_at_home(unsigned lists, std::uint64_t old, wake_reason other) noexcept
{
    const sched::worker& w = *sched::this_worker();
    const fiber::carrier* const home = w.current->home;
    sleep((home != nullptr ? static_cast<const sched::worker*>(home) : &w)->index % lists, old, other);
}

void waiting_room::sleep(unsigned which, std::uint64_t old, wake_reason other) noexcept
{
    nap n{this, &list_[which], old, other};
    sched::worker& w = *sched::this_worker();
    const bool bound = w.current->type == fiber::kind::bound;
    if (bound) {
        w.asleep_value = old;
        w.asleep_on = &word_;
    }
    const bool slept = sched::suspend(lie_down, &n);
    if (bound) {
        w.asleep_on = nullptr;  // a bound fiber is still on its own worker
    }
    if (!slept) {
        // No memory for a stack to go on with: this OS thread can only wait itself.
        ::sched_yield();
    }
}

bool waiting_room::spin(std::uint64_t old, std::uint64_t spin_cycles, wake_reason other) const noexcept
{
    sched::worker& w = *sched::this_worker();  // does not change: we do not switch here
    if (sched::is_lodger(w)) {
        return opened(old);  // the bound fiber may need this OS thread
    }
    // The first looks without a pause and without reading the clock: in a tight program the word changes now.
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
        if (w.has_work() || spin_cycles == 0 || other.given()) {
            return false;
        }
    } while (wait.pause());
    return false;
}

// Posts runs of sleepers that go to the same worker with one operation each.
void waiting_room::wake_chain(base::work* chain) noexcept
{
    auto* first = static_cast<fiber::fiber*>(chain);
    while (first != nullptr) {
        auto* after = static_cast<fiber::fiber*>(first->next);
        fiber::fiber* last = first;
        while (after != nullptr && &sched::home_of(*after) == &sched::home_of(*first)) {
            last = after;
            after = static_cast<fiber::fiber*>(after->next);
        }
        sched::make_ready_at_home(*first, *last);
        first = after;
    }
}

void waiting_room::open(std::uint64_t new_word, unsigned lists) noexcept
{
    word_.store(new_word, std::memory_order_release);  // release: pairs with word()
    wake_lists(lists);
}

void waiting_room::open_next() noexcept
{
    word_.fetch_add(1, std::memory_order_release);  // release: pairs with word()
    wake_lists(list_count_);
}

void waiting_room::wake_lists(unsigned lists) noexcept
{
    base::full_fence();                                    // the opener's half of the pairing in room.hpp
    if (sleepers_.load(std::memory_order_relaxed) == 0) {  // relaxed: ordered by the fence
        return;
    }
    // Bound fibers first: a guest that sees members ready finds its own fiber ready, too, and does not begin with them.
    fiber::fiber* chains[largest_lists];
    for (unsigned i = 0; i < lists; ++i) {
        base::work* taken = nullptr;
        {
            const std::scoped_lock hold(list_[i].lock);
            taken = list_[i].first;
            list_[i].first = list_[i].last = nullptr;
        }
        base::work* rest = nullptr;
        base::work** end = &rest;
        unsigned n = 0;
        while (taken != nullptr) {
            auto* const f = static_cast<fiber::fiber*>(taken);
            taken = f->next;
            ++n;
            if (f->type == fiber::kind::bound) {
                sched::make_ready_at_home(*f);
            } else {
                *end = f;
                end = &f->next;
            }
        }
        *end = nullptr;
        chains[i] = static_cast<fiber::fiber*>(rest);
        sleepers_.fetch_sub(n, std::memory_order_relaxed);  // relaxed: they are awake, nobody relies on the count falling
    }
    for (unsigned i = lists; i-- > 0;) {  // the opener's own list (0 for masters) last: the others start meanwhile
        wake_chain(chains[i]);
    }
}

bool waiting_room::wake_one(unsigned lists) noexcept
{
    for (const bool idle_only : {true, false}) {
        for (unsigned i = lists; i-- > 0;) {
            fiber::fiber* found = nullptr;
            bool at_home = false;
            {
                list& l = list_[i];
                const std::scoped_lock hold(l.lock);
                if (l.first == nullptr) {
                    continue;
                }
                found = static_cast<fiber::fiber*>(l.first);
                // relaxed: a hint.
                at_home = sched::home_of(*found).idle.load(std::memory_order_relaxed);
                if (idle_only && !at_home) {
                    continue;
                }
                l.first = found->next;
                if (l.first == nullptr) {
                    l.last = nullptr;
                }
            }
            sleepers_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: as in open
            if (at_home) {
                sched::make_ready_at_home(*found);
            } else {
                sched::make_ready(*found);
            }
            return true;
        }
    }
    return false;
}

}  // namespace artel::openmp
