// The search of a thread for tasks of its arena, and its sleep until there are some.
#include "arena.hpp"
#include "base/os/yield.hpp"
#include "dispatch.hpp"
#include "sched/suspend.hpp"

#include <mutex>
#include <optional>
#include <utility>

namespace artel::onetbb {

task* arena::seek(thread& me, const abi::d1::wait_context* until, bool counted) noexcept
{
    const std::intptr_t isolation = me.now->isolation;
    const bool takes_all = me.takes_all();
    const bool takes_some = me.has_room();
    bool was_woken = false;
    for (;;) {
        if (slot_wanted()) [[unlikely]] {
            if (until == nullptr) {
                end_search(counted, was_woken);
                return nullptr;
            }
            if (hand_slot_over(me, true)) {
                end_search(counted, was_woken);
                wait_without_slot(me, *until);
                return nullptr;
            }
        }
        if (must_leave(me, until)) [[unlikely]] {
            // A thread that has not searched may have got the slot from a suspended worker, with
            // its tasks.
            task* const mine = counted ? nullptr : me.own_task();
            end_search(counted, was_woken);
            return mine;
        }
        if (task* const t = me.look()) {
            end_search(counted, was_woken);
            return t;
        }
        if (until != nullptr && until->done()) {
            end_search(counted, was_woken);
            return nullptr;
        }
        if (std::exchange(was_woken, false)) {
            pass_on_untaken();
        }
        if (!counted && takes_all) {
            // seq_cst: see work_added.
            searchers_.fetch_add(1, std::memory_order_seq_cst);
            counted = true;
        }
        // relaxed, here and below: a hint.
        me.at->looks.store(takes_all, std::memory_order_relaxed);
        bool more = false;
        task* found = spin_for_task(me, until, more);
        me.at->looks.store(false, std::memory_order_relaxed);
        if (found != nullptr) {
            end_search(counted, false);
            return found;
        }
        if (more || must_leave(me, until)) {
            continue;  // `until` is done, another thread wants the slot, or we have to leave
        }
        if (until == nullptr && !must_stay(me)) {
            // seq_cst: see work_added.
            searchers_.fetch_sub(counted ? 1 : 0, std::memory_order_seq_cst);
            base::fence_after_change();
            found = me.look(true);
            if (found != nullptr) {
                pass_on();
            }
            return found;
        }
        sleeper self;
        wait_node place;
        place.of = &self;
        place.second_key = takes_all        ? 0
                           : !takes_some    ? takes_nothing
                           : isolation == 0 ? takes_uncritical
                                            : static_cast<std::uintptr_t>(isolation);
        place.takes_enqueued = takes_some && isolation == 0 && me.now->takes_enqueued;
        place.stands_in = until == nullptr;
        {
            std::optional<wait_scope> by_address;
            if (until != nullptr) {
                const auto address = reinterpret_cast<std::uintptr_t>(until);
                by_address.emplace(waiters_at(address), self, address, 0U);
            }
            {
                const std::scoped_lock hold(sleepers_.lock);
                sleepers_.add(place);
            }
            // seq_cst: see work_added.
            searchers_.fetch_sub(counted ? 1 : 0, std::memory_order_seq_cst);
            // pairs also with the fences of callers of wake_at().
            base::fence_after_change();
            found = me.look(true);
            if (found == nullptr) {
                tasks_taken();
            }
            if (found == nullptr && !slot_wanted() &&
                !(until != nullptr ? until->done() : too_many_stand_in())) {
                self.sleep(this);
            }
            const std::scoped_lock hold(sleepers_.lock);
            sleepers_.remove(place);
            counted = place.key == woken_and_counted;
            was_woken = place.key == woken;
        }
        if (found != nullptr) {
            // Others may have relied on our search before we slept.
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
        if (!sched::yield()) {
            base::os::yield();
        }
    }
}

}  // namespace artel::onetbb
