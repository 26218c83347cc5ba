// Who looks for tasks in an arena, who sleeps until there are some, and how they are woken.
#include "arena.hpp"
#include "base/os/yield.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "sched/crew.hpp"
#include "sched/spin.hpp"
#include "sched/suspend.hpp"

#include <mutex>
#include <optional>
#include <utility>

namespace artel::onetbb {
namespace {

// Of a thread that spins for tasks; a turn is some 20 ns.
constexpr unsigned eager_looks = 2;
constexpr unsigned turns_between_looks = 16;
// Of a worker that nobody has room for on the CPUs, before it leaves.
constexpr unsigned yields_beyond_width = 100;

}  // namespace

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

void arena::stop_searching() noexcept
{
    // seq_cst: see work_added; it is the fence as well.
    if (searchers_.fetch_sub(1, std::memory_order_seq_cst) == 1) {
        pass_on();
    }
}

// By one who is counted as a searcher, or was told by a waker that it is wanted, and does something
// else now.
void arena::end_search(bool counted, bool was_told) noexcept
{
    if (counted) {
        stop_searching();
    } else if (was_told) {
        pass_on();
    }
}

task* arena::steal_for(thread& me, bool closely) noexcept
{
    // relaxed: a slot that is seen too late is seen at the look after the fence.
    const unsigned n = used_.load(std::memory_order_relaxed);
    if (n <= 1 && me.in == this) {
        return nullptr;
    }
    const std::intptr_t isolation = me.now->isolation;
    unsigned i = static_cast<unsigned>(me.next_random() % n);
    for (unsigned k = 0; k < n; ++k, i = i + 1 == n ? 0 : i + 1) {
        slot& s = slot_[i];
        if (&s == me.at) {
            continue;
        }
        const auto wanted = [this, &me](const task& candidate) {
            // What is meant for one who is about to take it is left to it.
            return (candidate.traits & is_proxy) == 0 || candidate.slots == me.index ||
                   // relaxed: a hint.
                   !slot_[candidate.slots].looks.load(std::memory_order_relaxed);
        };
        while (task* t = s.pool.steal(isolation, wanted, closely)) {
            if ((t->traits & is_proxy) != 0) {
                t = static_cast<proxy*>(t)->take(*me.memory);
            }
            if (t != nullptr) {
                me.now->original_slot = static_cast<abi::d1::slot_id>(i);
                return t;
            }
        }
    }
    return nullptr;
}

task* arena::seek(thread& me, const abi::d1::wait_context* until, bool counted) noexcept
{
    const std::intptr_t isolation = me.now->isolation;
    const bool takes_all = me.takes_all();
    const bool takes_some = me.has_room();
    bool was_told = false;
    // Who stands in for another one is no worker of the arena.
    const auto must_leave = [&] { return until == nullptr && !me.stands_in && too_many_workers(); };
    for (;;) {
        if (slot_wanted()) [[unlikely]] {
            if (until == nullptr) {
                end_search(counted, was_told);
                return nullptr;
            }
            if (hand_slot_over(me, true)) {
                end_search(counted, was_told);
                wait_without_slot(me, *until);
                return nullptr;
            }
        }
        if (must_leave()) [[unlikely]] {
            end_search(counted, was_told);
            return nullptr;
        }
        if (task* const t = me.look()) {
            end_search(counted, was_told);
            return t;
        }
        if (until != nullptr && until->done()) {
            end_search(counted, was_told);
            return nullptr;
        }
        if (std::exchange(was_told, false)) {
            pass_on_untaken();
        }
        if (!counted && takes_all) {
            // seq_cst: see work_added.
            searchers_.fetch_add(1, std::memory_order_seq_cst);
            counted = true;
        }
        // relaxed, here and below: a hint.
        me.at->looks.store(takes_all, std::memory_order_relaxed);
        sched::worker* const w = sched::this_worker();
        bool more = w != nullptr && !w->has_work() && !sched::is_lodger(*w);
        task* found = nullptr;
        if (more) {
            sched::spin wait(*w, w->home.spin_cycles());
            for (unsigned turn = 0; more; ++turn) {
                // Not each time: whoever spawns tasks that it takes back at once would have to
                // fetch the lines that we look at.
                if (turn < eager_looks || turn % turns_between_looks == 0) {
                    if (must_leave()) {
                        break;
                    }
                    found = me.look();
                }
                if (found != nullptr || slot_wanted() || (until != nullptr && until->done())) {
                    break;
                }
                more = wait.pause() == sched::spin::advice::again && !w->has_work() &&
                       (until != nullptr || !another_asks());
            }
        }
        // More threads than the crew has were asked for: they wait for the program's next loop with
        // their places, and what is meant for them, as those of oneTBB do.
        for (unsigned k = 0;
             until == nullptr && found == nullptr && !slot_wanted() && w != nullptr &&
             k < yields_beyond_width && workers_beyond_width() && !w->has_work() && !another_asks();
             ++k) {
            base::os::yield();
            found = must_leave() ? nullptr : me.look();
        }
        me.at->looks.store(false, std::memory_order_relaxed);
        if (found != nullptr) {
            end_search(counted, false);
            return found;
        }
        if (more || must_leave()) {
            continue;  // done, or somebody wants the slot, or we are to leave
        }
        if (until == nullptr && !must_stay(me)) {
            // seq_cst: see work_added; it is the fence as well.
            searchers_.fetch_sub(counted ? 1 : 0, std::memory_order_seq_cst);
            found = me.look(true);
            if (found != nullptr) {
                pass_on();
            }
            return found;
        }
        sleeper self;
        bunk place;
        place.of = &self;
        place.second_key = takes_all        ? 0
                           : !takes_some    ? takes_nothing
                           : isolation == 0 ? takes_uncritical
                                            : static_cast<std::uintptr_t>(isolation);
        place.takes_enqueued = takes_some && isolation == 0 && me.now->takes_enqueued;
        place.stands_in = until == nullptr;
        {
            std::optional<stay> by_address;
            if (until != nullptr) {
                const auto address = reinterpret_cast<std::uintptr_t>(until);
                by_address.emplace(waiters_at(address), self, address, 0U);
            }
            {
                const std::scoped_lock hold(sleepers_.lock);
                sleepers_.add(place);
            }
            // seq_cst: see work_added; it is the fence as well, also for wake_at.
            searchers_.fetch_sub(counted ? 1 : 0, std::memory_order_seq_cst);
            found = me.look(true);
            if (found == nullptr && !slot_wanted() &&
                !(until != nullptr ? until->done() : too_many_stand_in())) {
                self.sleep();
            }
            const std::scoped_lock hold(sleepers_.lock);
            sleepers_.remove(place);
            counted = place.key == told_and_counted;
            was_told = place.key == told;
        }
        if (found != nullptr) {
            // Others may have seen us search before we slept.
            end_search(counted, true);
            return found;
        }
    }
}

void arena::wait_until_empty(thread& me) noexcept
{
    for (;;) {
        if (me.in == this) {
            if (task* const t = me.look()) {
                work(me, t, nullptr);
                continue;
            }
        }
        // pairs with the fence in work_added.
        base::full_fence();
        // relaxed: ordered by the fence.
        if (!visible() && workers_.load(std::memory_order_relaxed) == 0) {
            return;
        }
        if (sched::this_worker() == nullptr || !sched::yield()) {
            base::os::yield();
        }
    }
}

}  // namespace artel::onetbb
