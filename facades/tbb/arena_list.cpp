// The list of all arenas: which of them want workers, in the order of their priorities.
#include "arena.hpp"
#include "control.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "sched/alarm.hpp"

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
    next_ = first_;
    (first_ != nullptr ? first_->before_ : last_) = this;
    first_ = this;
}

void arena::unlist() noexcept
{
    {
        const std::scoped_lock hold(all_lock);
        (before_ != nullptr ? before_->next_ : first_) = next_;
        (next_ != nullptr ? next_->before_ : last_) = before_;
    }
    if (level() != normal_level) {
        special_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
    }
}

// Lets the list end with this arena, so that all others are asked before it the next time.
void arena::make_last() noexcept
{
    const std::scoped_lock hold(all_lock);
    if (next_ == nullptr) {
        return;
    }
    last_->next_ = first_;
    first_->before_ = last_;
    first_ = next_;
    first_->before_ = nullptr;
    last_ = this;
    next_ = nullptr;
    ++times_turned_;
}

bool arena::wants_worker() const noexcept
{
    // relaxed, both: a hint; see the declaration.
    return !of_parent_.load(std::memory_order_relaxed) &&
           (!enqueued.empty() ||
            (searchers_.load(std::memory_order_relaxed) == 0 && visible_to_all()));
}

unsigned arena::level() const noexcept
{
    // 0: an arena of a thread's own.
    constexpr int highest = levels;
    return shape_.priority <= 0
               ? normal_level
               : static_cast<unsigned>(std::clamp(shape_.priority / priority_step, 1, highest)) - 1;
}

// How many workers arenas of higher priority than this leave to an arena. Arenas count that have
// tasks and can get workers; a worker that they no longer need leaves and checks again.
// `to_a_worker`: the caller is a worker of the arena, so arenas whose requests were refused count
// as well: its leaving lets them have one.
unsigned arena::left_by_levels_above(unsigned level, bool to_a_worker) noexcept
{
    const unsigned allowed = worker_limit();
    unsigned left = std::max(allowed, 1U);
    const std::scoped_lock hold(all_lock);
    for (const arena* a = first_; a != nullptr && left != 0; a = a->next_) {
        if (a->level() <= level || a->unlimited()) {
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
    another_was_refused_.store(false, std::memory_order_relaxed);  // relaxed: a hint
    if (levels_differ()) {
        for (unsigned i = levels; i-- != 0;) {
            if (left_by_levels_above(i, false) == 0) {
                remember_refusal();  // perhaps: the arenas of these levels are not asked
                note_outranked();
                if (left_by_levels_above(i, false) == 0) {
                    break;
                }
            }
            ask_for_workers(i, i);
        }
    } else {
        ask_for_workers(0, levels - 1);
    }
}

// To be called before the last look at what arenas of higher priority leave.
void arena::note_outranked() noexcept
{
    outranked_.store(true, std::memory_order_relaxed);  // relaxed: ordered by the fence
    // pairs with the fence in let_outranked_ask(): we see that the tasks are taken, or it sees that
    // we were refused.
    base::full_fence();
}

void arena::let_outranked_ask() noexcept
{
    if (level() == 0) {
        return;  // it outranks nobody
    }
    base::full_fence();  // pairs with the fence in note_outranked()
    // relaxed, both: ordered by the fence; those that are refused again write it again.
    if (outranked_.load(std::memory_order_relaxed) && !visible()) {
        outranked_.store(false, std::memory_order_relaxed);
        limit_changed();
    }
}

void arena::begin_queueing() noexcept
{
    queueing_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see there
}

void arena::end_queueing() noexcept
{
    // relaxed, both: limit_changed() makes a fence, before it looks at tasks whose requests for a
    // worker may have been refused meanwhile.
    if (queueing_.fetch_sub(1, std::memory_order_relaxed) == 1) {
        one_more_.store(false, std::memory_order_relaxed);
        limit_changed();
    }
}

// Perhaps the occupants of the slots wait for tasks of an arena without a worker, which gets none
// because threads wait for slots. So after a while one arena gets one, and later one more.
bool arena::help_refused() noexcept
{
    constexpr sched::moment patience = 20'000'000;  // ns
    // relaxed, all: see the declarations; limit_changed() makes a fence.
    sched::moment since = refused_since_.load(std::memory_order_relaxed);
    if (since == 0 || sched::now() - since < patience ||
        !refused_since_.compare_exchange_strong(since, 0, std::memory_order_relaxed,
                                                std::memory_order_relaxed)) {
        return false;
    }
    one_more_.store(true, std::memory_order_relaxed);
    limit_changed();  // those that are still refused write it again
    one_more_.store(false, std::memory_order_relaxed);
    return true;
}

// Whether the numbers of workers allow another one here. If not, a worker that leaves asks again.
bool arena::may_get_worker() const noexcept
{
    const unsigned allowed = allowed_workers();
    // relaxed, both: ordered by the caller's fence, and by that of a worker that leaves.
    return all_workers_.load(std::memory_order_relaxed) < allowed ||
           gets_one_anyway(allowed, workers_.load(std::memory_order_relaxed));
}

// Requests a worker for each arena of these levels that wants one and may get it.
void arena::ask_for_workers(unsigned first_level, unsigned last_level) noexcept
{
    const auto is_meant = [&](const arena& a) {
        // relaxed: a guess. When the number falls it is asked again.
        if (a.level() < first_level || a.level() > last_level || !a.wants_worker() ||
            a.workers_.load(std::memory_order_relaxed) >= a.most_workers_) {
            return false;
        }
        if (!a.may_get_worker()) {
            note_refusal();
            return false;
        }
        return true;
    };
    // Workers are requested without the lock, which a worker that comes may need. A reference keeps
    // the arena in the list meanwhile, so that the walk can continue from it.
    arena* last = nullptr;
    arena* got_one = nullptr;
    unsigned turned = 0;
    for (;;) {
        arena* next = nullptr;
        {
            const std::scoped_lock hold(all_lock);
            // Where others have turned the list meanwhile, arenas would be left out.
            const bool goes_on = last != nullptr && turned == times_turned_;
            next = goes_on ? last->next_ : first_;
            turned = times_turned_;
            while (next != nullptr && !(is_meant(*next) && next->refer_if_alive())) {
                next = next->next_;
            }
        }
        if (last != nullptr) {
            last->drop();
        }
        if (next == nullptr) {
            break;
        }
        last = next;
        if (next->request_worker()) {
            if (got_one != nullptr) {
                got_one->drop();
            }
            got_one = next;
            got_one->refer();
        }
    }
    if (got_one != nullptr) {
        got_one->make_last();
        got_one->drop();
    }
}

bool arena::exist() noexcept
{
    const std::scoped_lock hold(all_lock);
    return first_ != nullptr;
}

}  // namespace artel::onetbb
