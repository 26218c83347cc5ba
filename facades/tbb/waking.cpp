// Which tasks of an arena are visible, and which thread is woken for them.
#include "arena.hpp"

#include <mutex>

namespace artel::onetbb {

void arena::enqueue(task& t)
{
    note_use();
    enqueued.put(t);
    // pairs with the fences of workers that leave, and of threads that fall asleep.
    base::full_fence();
    pass_enqueued_on();
}

// After a fence.
bool arena::visible() const noexcept
{
    return !enqueued.empty() || visible_to_all();
}

// As visible(), without enqueued tasks, which only workers and threads that wait outside of all
// tasks take.
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

// Wakes one sleeper for which suits(wait_node) holds. If it would take any task, the waker counts
// it as a searcher, and nobody else needs to be woken until it has searched.
template <class Suits>
bool arena::wake_one(Suits suits) noexcept
{
    // relaxed: a hint.
    if (sleepers_.count.load(std::memory_order_relaxed) == 0) {
        return false;
    }
    fiber::fiber* who = nullptr;
    {
        const std::scoped_lock hold(sleepers_.lock);
        wait_node* b = sleepers_.first;
        while (b != nullptr && !suits(*b)) {
            b = b->next;
        }
        if (b == nullptr) {
            return false;
        }
        if (b->second_key == 0) {
            // seq_cst: see work_added.
            searchers_.fetch_add(1, std::memory_order_seq_cst);
            b->key = woken_and_counted;
        } else {
            b->key = woken;
        }
        who = b->of->poke();
        sleepers_.remove(*b);
    }
    sleeper::wake(who);
    return true;
}

// Wakes a thread that may run tasks of that isolation.
bool arena::wake_sleeper(std::intptr_t isolation) noexcept
{
    const auto wanted = static_cast<std::uintptr_t>(isolation);
    return wake_one([wanted](const wait_node& b) {
        return b.second_key == 0 || b.second_key == takes_uncritical || b.second_key == wanted ||
               wanted == static_cast<std::uintptr_t>(anybody);
    });
}

bool arena::wake_for_enqueued() noexcept
{
    return wake_one([](const wait_node& b) { return b.takes_enqueued; });
}

bool arena::wake_stand_in() noexcept
{
    return wake_one([](const wait_node& b) { return b.stands_in; });
}

// Wakes all threads that take certain tasks only: the visible tasks may be for one of them, and no
// worker comes.
void arena::wake_limited() noexcept
{
    wake_some(sleepers_, ~0U, [](wait_node& b) {
        const bool limited = b.second_key != 0 && b.second_key != takes_nothing;
        b.key = limited ? woken : b.key;
        return limited;
    });
}

// Called when the last searcher stops, or a worker has left: because of it, others may not have
// been woken for visible tasks.
void arena::pass_on() noexcept
{
    if (visible_to_all() && !wake_sleeper(slot_wanted() ? anybody : 0) && !request_worker()) {
        wake_limited();
    }
    pass_enqueued_on();
}

// Called when a thread that takes certain tasks only was woken and has found none: the visible task
// may be critical, so that it may not run it.
void arena::pass_on_untaken() noexcept
{
    if (visible_to_all() && !wake_one([](const wait_node& b) { return b.second_key == 0; })) {
        request_worker();
    }
}

// As pass_on(), for enqueued tasks: threads that still search may not be allowed to take them.
void arena::pass_enqueued_on() noexcept
{
    if (!enqueued.empty() && !request_worker()) {
        // No more workers can come: those that are here check before they leave.
        wake_for_enqueued();
    }
}

// Called after a fence when a worker has left or a slot was freed: requests may have been refused
// before.
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
