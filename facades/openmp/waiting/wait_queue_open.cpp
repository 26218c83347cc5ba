// How a wait queue is opened, and its sleepers are woken; wait_queue.hpp says why none is
// forgotten.
#include "wait_queue.hpp"

#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include <mutex>
#include <utility>

namespace artel::openmp {

// Posts each run of consecutive sleepers with the same home in one operation.
void wait_queue::wake_chain(base::work* chain) noexcept
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

void wait_queue::open(std::uint64_t new_word, unsigned lists) noexcept
{
    word_.store(new_word, std::memory_order_release);  // release: pairs with word()
    wake_lists(lists);
}

void wait_queue::open_next() noexcept
{
    word_.fetch_add(1, std::memory_order_release);  // release: pairs with word()
    wake_lists(list_count_);
}

void wait_queue::wake_lists(unsigned lists) noexcept
{
    // The opener's half of the pairing in wait_queue.hpp.
    base::full_fence();
    if (occupied_.load(std::memory_order_relaxed) == 0) {  // relaxed: ordered by the fence
        return;
    }
    // Bound fibers first: a guest that finds members ready then finds its own fiber ready as well,
    // and does not start to carry members.
    const sched::worker* const here = sched::this_worker();
    base::work* chains[largest_lists];
    sched::worker* carriers[largest_lists];
    for (unsigned i = 0; i < lists; ++i) {
        list& l = list_[i];
        base::work* bound = nullptr;
        chains[i] = nullptr;
        carriers[i] = nullptr;
        {
            const std::scoped_lock hold(l.lock);
            if (l.empty()) {
                continue;
            }
            bound = std::exchange(l.bound, nullptr);
            sched::worker* const home = l.count > 1
                                            ? &sched::home_of(static_cast<fiber::fiber&>(*l.first))
                                            : nullptr;
            // Where reserves carry members that spin on each other, all should start at once, not
            // one after the other.
            if (home == nullptr || home == here || home->own_crew.reserve_count() != 0) {
                chains[i] = l.take_all();
            } else if (l.posted_to == nullptr) {
                l.posted_to = carriers[i] = home;
            }
            l.taken();
        }
        while (bound != nullptr) {
            auto& f = static_cast<fiber::fiber&>(*bound);
            bound = f.next;
            sched::make_ready_at_home(f);
        }
    }
    // The opener's own list (0 for masters) comes last: the others start meanwhile.
    for (unsigned i = lists; i-- > 0;) {
        if (carriers[i] != nullptr) {
            sched::post(*carriers[i], list_[i], list_[i]);
        } else {
            wake_chain(chains[i]);
        }
    }
}

// Takes all sleepers but the bound fibers. Under the list's lock.
base::work* wait_queue::list::take_all() noexcept
{
    count = 0;
    last = nullptr;
    return std::exchange(first, nullptr);
}

// After sleepers were taken out. Under the list's lock.
void wait_queue::list::taken() noexcept
{
    if (empty()) {
        // relaxed: the sleepers are awake, and nobody relies on the count falling.
        queue->occupied_.fetch_sub(1, std::memory_order_relaxed);
    }
}

// Runs on a scheduling loop, usually of the worker that is the sleepers' home. Sleepers of the next
// phase cannot be in the list: those of this phase must wake up first.
void wait_queue::wake_list(void*, base::work& posted)
{
    list& l = static_cast<list&>(posted);
    base::work* chain = nullptr;
    {
        const std::scoped_lock hold(l.lock);
        l.posted_to = nullptr;
        if (!l.empty()) {
            chain = l.take_all();
            l.taken();
        }
    }
    // From here on the queue may be freed.
    wake_chain(chain);
}

bool wait_queue::wake_one(unsigned lists) noexcept
{
    for (const bool idle_only : {true, false}) {
        for (unsigned i = lists; i-- > 0;) {
            fiber::fiber* found = nullptr;
            bool at_home = false;
            {
                list& l = list_[i];
                const std::scoped_lock hold(l.lock);
                if (l.empty()) {
                    continue;
                }
                base::work*& chain = l.first != nullptr ? l.first : l.bound;
                found = static_cast<fiber::fiber*>(chain);
                // relaxed: a hint.
                at_home = sched::home_of(*found).idle.load(std::memory_order_relaxed);
                if (idle_only && !at_home) {
                    continue;
                }
                if (&chain == &l.first) {
                    --l.count;
                    l.last = l.first->next != nullptr ? l.last : nullptr;
                }
                chain = found->next;
                l.taken();
            }
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
