// Slots for threads that wait for one: threads whose tasks were resumed, and threads that gave
// their slots to such threads.
#include "arena.hpp"

#include <mutex>
#include <utility>

namespace artel::onetbb {

// Gives the caller's slot to a thread that waits for one, together with the place that `from` has
// among the workers or the external threads; nullptr: the slot was free. `stays`: `from` will want
// a slot again.
bool arena::grant(unsigned index, thread* from, bool stays) noexcept
{
    if (!slot_wanted()) {
        return false;
    }
    const bool counts = from != nullptr && from->counts;
    fiber::fiber* who = nullptr;
    bool keeps_count = false;
    {
        const std::scoped_lock hold(seekers_.lock);
        wait_node* const b = seekers_.first;
        if (b == nullptr) {
            return false;
        }
        thread& t = *reinterpret_cast<thread*>(b->key);
        take_back_if_lent(slot_[index]);
        occupy(t, index);
        if (!t.serves && index >= shape_.reserved) {
            t.at->lent = true;
            lent_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see first_for_workers
        }
        keeps_count = counts && t.serves;
        t.counts = keeps_count;
        // relaxed, all: under the lock.
        unsigned absent = absent_.load(std::memory_order_relaxed);
        unsigned standing_in = standing_in_.load(std::memory_order_relaxed);
        if (from != nullptr) {
            absent += stays && !from->serves ? 1 : 0;
            standing_in -= std::exchange(from->stands_in, false) ? 1 : 0;
        }
        if (!t.serves) {
            --absent;
        } else if (!keeps_count && standing_in < absent) {
            t.stands_in = true;
            ++standing_in;
        }
        // relaxed, both: as above; too_many_stand_in is asked after a fence.
        absent_.store(absent, std::memory_order_relaxed);
        standing_in_.store(standing_in, std::memory_order_relaxed);
        who = b->of->poke();
        seekers_.remove(*b);
    }
    sleeper::wake(who);
    // pairs with the fence of a substitute that falls asleep.
    base::full_fence();
    if (too_many_stand_in()) {
        wake_stand_in();
    }
    if (counts && !keeps_count) {
        one_worker_less();
    }
    return true;
}

bool arena::hand_slot_over(thread& me, bool stays) noexcept
{
    std::atomic<bool>& owed = me.at->owed;
    // Tasks that others had left stay owed until the slot is left empty. relaxed, both: see there.
    owed.store(!me.at->pool.empty() && (me.serves || owed.load(std::memory_order_relaxed)),
               std::memory_order_relaxed);
    if (!grant(me.index, &me, stays)) {
        return false;
    }
    me.counts = false;
    me.at = nullptr;
    return true;
}

// With the lock of the seekers held.
void arena::stands_in_no_more(thread& t) noexcept
{
    t.stands_in = false;
    standing_in_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: under the lock
}

void arena::end_standing_in(thread& t) noexcept
{
    if (t.stands_in) {
        const std::scoped_lock hold(seekers_.lock);
        stands_in_no_more(t);
    }
}

// Whether a persona without tasks has to stay because it stands in for an external thread; if not,
// it stops standing in.
bool arena::must_stay(thread& me) noexcept
{
    if (!me.stands_in || !too_many_stand_in()) {
        return me.stands_in;
    }
    const std::scoped_lock hold(seekers_.lock);
    if (too_many_stand_in()) {
        stands_in_no_more(me);
    }
    return me.stands_in;
}

void arena::give_free_slot() noexcept
{
    const int i = free_slot();
    if (i >= 0 && !grant(static_cast<unsigned>(i), nullptr, false)) {
        free_up(static_cast<unsigned>(i));
    }
}

// Waits until the thread, which has no slot, has one.
void arena::get_slot(thread& me) noexcept
{
    sleeper self;
    const wait_scope wanting(seekers_, self, reinterpret_cast<std::uintptr_t>(&me), 0);
    find_slot(!me.serves);
    self.sleep();
}

// Waits for `until` as a thread that gave its slot away, and then for a slot.
void arena::wait_without_slot(thread& me, const abi::d1::wait_context& until) noexcept
{
    const auto address = reinterpret_cast<std::uintptr_t>(&until);
    while (!until.done()) {
        sleep_at(address, 0, [&] { return !until.done(); });
    }
    get_slot(me);
}

// Called when a thread has begun to wait for a slot.
void arena::find_slot(bool external) noexcept
{
    // pairs with the fence in free_up().
    base::full_fence();
    // Its own slot, most likely.
    if (external && wake_stand_in()) {
        return;
    }
    give_free_slot();
    if (slot_wanted()) {
        wake_sleeper(anybody);
    }
}

}  // namespace artel::onetbb
