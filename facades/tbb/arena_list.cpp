// The list of all arenas: which of them want workers, in the order of their priorities.
#include "arena.hpp"
#include "control.hpp"
#include "foreign/fork_safe_lock.hpp"

#include <algorithm>
#include <mutex>

namespace artel::onetbb {
namespace {

foreign::fork_safe_lock all_lock;

constexpr unsigned normal_level = 1;

}  // namespace

void arena::enlist() noexcept
{
    if (level() != normal_level) {
        special_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see there
    }
    const std::scoped_lock hold(all_lock);
    next_ = all_;
    if (all_ != nullptr) {
        all_->before_ = this;
    }
    all_ = this;
}

void arena::unlist() noexcept
{
    {
        const std::scoped_lock hold(all_lock);
        (before_ != nullptr ? before_->next_ : all_) = next_;
        if (next_ != nullptr) {
            next_->before_ = before_;
        }
    }
    if (level() != normal_level) {
        special_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
    }
}

bool arena::wants_worker() const noexcept
{
    // relaxed: a hint.
    return !enqueued.empty() ||
           (searchers_.load(std::memory_order_relaxed) == 0 && visible_to_all());
}

unsigned arena::level() const noexcept
{
    // 0: an arena of a thread's own.
    constexpr int highest = levels;
    return shape_.priority <= 0
               ? normal_level
               : static_cast<unsigned>(std::clamp(shape_.priority / priority_step, 1, highest)) - 1;
}

// How many workers arenas of higher priority leave to this one. Arenas count that have tasks and
// can get workers; a worker that they no longer need leaves and checks again. `to_a_worker`: the
// caller is a worker here, so arenas whose requests were refused count as well: its leaving lets
// them have one.
unsigned arena::left_by_higher_levels(bool to_a_worker) const noexcept
{
    const unsigned allowed = worker_limit();
    unsigned left = std::max(allowed == no_worker_limit ? default_concurrency() - 1 : allowed, 1U);
    const std::scoped_lock hold(all_lock);
    for (const arena* a = all_; a != nullptr && left != 0; a = a->next_) {
        if (a->level() <= level()) {
            continue;
        }
        // relaxed, both: a moment's view.
        const unsigned here = a->workers_.load(std::memory_order_relaxed);
        const bool gets_some = here != 0 ||
                               (to_a_worker && a->refused_.load(std::memory_order_relaxed));
        left -= std::min(left, gets_some && a->visible() ? a->most_workers_ : here);
    }
    return left;
}

void arena::limit_changed() noexcept
{
    // pairs with the fences before refused requests for a worker: in enqueue(), work_added() and
    // the search for tasks.
    base::full_fence();
    if (levels_differ()) {
        for (unsigned i = levels; i-- != 0;) {
            ask_for_workers(i, i);
        }
    } else {
        ask_for_workers(0, levels - 1);
    }
}

// Requests a worker for each arena of these levels that wants one.
void arena::ask_for_workers(unsigned first_level, unsigned last_level) noexcept
{
    const auto is_meant = [&](const arena& a) {
        return a.level() >= first_level && a.level() <= last_level && a.wants_worker();
    };
    // Workers are requested without the lock, which a worker that comes may need. A reference keeps
    // the arena in the list meanwhile, so that the walk can continue from it.
    arena* last = nullptr;
    for (;;) {
        arena* next = nullptr;
        {
            const std::scoped_lock hold(all_lock);
            next = last != nullptr ? last->next_ : all_;
            while (next != nullptr && !(is_meant(*next) && next->refer_if_alive())) {
                next = next->next_;
            }
        }
        if (last != nullptr) {
            last->drop();
        }
        if (next == nullptr) {
            return;
        }
        next->request_worker();
        last = next;
    }
}

bool arena::exist() noexcept
{
    const std::scoped_lock hold(all_lock);
    return all_ != nullptr;
}

}  // namespace artel::onetbb
