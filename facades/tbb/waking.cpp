// What of an arena's work is visible, and who is woken for it.
#include "arena.hpp"

#include <mutex>

namespace artel::onetbb {

void arena::enqueue(task& t)
{
    enqueued.put(t);
    // pairs with the fences of workers that leave, and of who falls asleep.
    base::full_fence();
    pass_enqueued_on();
}

// After a fence.
bool arena::visible() const noexcept
{
    return !enqueued.empty() || visible_to_all();
}

// Without those tasks that only workers, and who waits outside of all tasks, take.
bool arena::visible_to_all() const noexcept
{
    if (!submitted.empty() || !critical.empty() || slot_wanted()) {
        return true;
    }
    // relaxed: ordered by the caller's fence.
    const unsigned n = used_.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < n; ++i) {
        if (!slot_[i].pool.empty()) {
            return true;
        }
    }
    return false;
}

void arena::wake_somebody(std::intptr_t isolation) noexcept
{
    if (!wake_sleeper(isolation)) {
        request_worker();
    }
}

// Wakes one for whom suits(bunk) holds. Who would take any task is counted as a searcher by the
// waker, and others need not be woken until it has looked.
template <class Suits>
bool arena::wake_one(Suits suits) noexcept
{
    // relaxed: a look.
    if (sleepers_.count.load(std::memory_order_relaxed) == 0) {
        return false;
    }
    fiber::fiber* who = nullptr;
    {
        const std::scoped_lock hold(sleepers_.lock);
        bunk* b = sleepers_.first;
        while (b != nullptr && !suits(*b)) {
            b = b->next;
        }
        if (b == nullptr) {
            return false;
        }
        if (b->second_key == 0) {
            // seq_cst: see work_added.
            searchers_.fetch_add(1, std::memory_order_seq_cst);
            b->key = told_and_counted;
        } else {
            b->key = told;
        }
        who = b->of->poke();
        sleepers_.remove(*b);
    }
    sleeper::wake(who);
    return true;
}

// One who may run tasks of that isolation.
bool arena::wake_sleeper(std::intptr_t isolation) noexcept
{
    const auto wanted = static_cast<std::uintptr_t>(isolation);
    return wake_one([wanted](const bunk& b) {
        return b.second_key == 0 || b.second_key == takes_uncritical || b.second_key == wanted ||
               wanted == static_cast<std::uintptr_t>(anybody);
    });
}

bool arena::wake_for_enqueued() noexcept
{
    return wake_one([](const bunk& b) { return b.takes_enqueued; });
}

bool arena::wake_stand_in() noexcept
{
    return wake_one([](const bunk& b) { return b.stands_in; });
}

// All who take some tasks only: what is visible may be for one of them, and nobody else comes.
void arena::wake_limited() noexcept
{
    wake_some(sleepers_, ~0U, [](bunk& b) {
        const bool limited = b.second_key != 0 && b.second_key != takes_nothing;
        b.key = limited ? told : b.key;
        return limited;
    });
}

// The last one who searched does so no more, or a worker is gone: while it was there others may not
// have been woken for what is visible.
void arena::pass_on() noexcept
{
    if (visible_to_all() && !wake_sleeper(slot_wanted() ? anybody : 0) && !request_worker()) {
        wake_limited();
    }
    pass_enqueued_on();
}

// One who takes some tasks only was told that there are some, and has found none: what is there is
// critical, perhaps, and it may not run that.
void arena::pass_on_untaken() noexcept
{
    if (visible_to_all() && !wake_one([](const bunk& b) { return b.second_key == 0; })) {
        request_worker();
    }
}

// As pass_on, for enqueued tasks, which those who still search may not take.
void arena::pass_enqueued_on() noexcept
{
    if (!enqueued.empty() && !request_worker()) {
        // All workers are here, and look before they leave; or none can be had.
        wake_for_enqueued();
    }
}

// There is a worker less, or a slot more: some may have been refused. After a fence.
void arena::look_again() noexcept
{
    // relaxed: ordered by the fence.
    if (searchers_.load(std::memory_order_relaxed) == 0) {
        pass_on();
    } else {
        pass_enqueued_on();
    }
}

}  // namespace artel::onetbb
