// Places are taken from a scope and all scopes around it, from the inside out; what an outer one
// lacks is given back to the inner ones.
#include "sched/width.hpp"

#include "sched/guest_scope.hpp"

#include <algorithm>

namespace artel::sched {

namespace {

// Takes places from one scope only.
unsigned take_own(detail::width_budget& budget, unsigned want) noexcept
{
    unsigned free = budget.free.load(std::memory_order_relaxed);  // relaxed: the exchange compares
    unsigned taken = 0;
    do {
        taken = std::min(free, want);
        // relaxed: only a number; loops and queues publish what is done with a place.
    } while (taken != 0 &&
             !budget.free.compare_exchange_weak(free, free - taken, std::memory_order_relaxed));
    return taken;
}

void give_own(detail::width_budget& budget, unsigned count) noexcept
{
    budget.free.fetch_add(count, std::memory_order_relaxed);  // relaxed: as above
}

}  // namespace

unsigned take_places(detail::width_budget& budget, unsigned want) noexcept
{
    unsigned taken = want;
    for (detail::width_budget* b = &budget; b != nullptr && taken != 0; b = b->outer) {
        const unsigned here = take_own(*b, taken);
        for (detail::width_budget* inner = &budget; inner != b; inner = inner->outer) {
            give_own(*inner, taken - here);
        }
        taken = here;
    }
    return taken;
}

void give_places(detail::width_budget& budget, unsigned count) noexcept
{
    if (count == 0) {
        return;
    }
    for (detail::width_budget* b = &budget; b != nullptr; b = b->outer) {
        give_own(*b, count);
    }
}

}  // namespace artel::sched

namespace artel::detail {

void open_width(width_budget& budget, unsigned most) noexcept
{
    sched::worker* const w = sched::crew::get().enter();
    if (w == nullptr) {
        return;
    }
    width_budget* const outer = w->current->width;
    const unsigned around = outer != nullptr ? outer->most : w->own_crew.width();
    budget.most = most != 0 ? std::min(most, around) : around;
    // relaxed: only the caller knows the scope.
    budget.free.store(budget.most - 1, std::memory_order_relaxed);
    budget.outer = outer;
    budget.open = true;
    w->current->width = &budget;
    sched::note_how_to_spawn(*w);
}

void close_width(width_budget& budget) noexcept
{
    // In the child of a fork inside the scope the caller is outside of all scopes.
    if (sched::worker* const w = sched::this_worker();
        budget.open && w != nullptr && w->current->width == &budget) {
        w->current->width = budget.outer;
        sched::note_how_to_spawn(*w);
    }
}

}  // namespace artel::detail
