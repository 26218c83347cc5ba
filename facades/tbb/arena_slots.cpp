// The slots of an arena: threads that enter take one, and hand it to a thread that waits for one
// when they leave.
#include "arena.hpp"

namespace artel::onetbb {

bool arena::take_slot(unsigned i) noexcept
{
    std::atomic<bool>& occupied = slot_[i].occupied;
    // relaxed: a hint. acquire: pairs with free_up().
    return !occupied.load(std::memory_order_relaxed) &&
           !occupied.exchange(true, std::memory_order_acquire);
}

// Takes a free slot; -1 without one.
int arena::free_slot(unsigned from) noexcept
{
    for (unsigned i = from; i < slots_; ++i) {
        if (take_slot(i)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

// Called when a slot changes its occupant: a lent slot belongs to workers again.
void arena::take_back_if_lent(slot& s) noexcept
{
    if (s.lent) {
        s.lent = false;
        lent_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see first_for_workers
    }
}

// Frees the caller's slot, and wakes threads that wait for one. That is necessary even if the
// caller had it for a moment only: they may have found no free slot meanwhile.
void arena::free_up(unsigned i) noexcept
{
    take_back_if_lent(slot_[i]);
    do {
        // release: pairs with take_slot().
        slot_[i].occupied.store(false, std::memory_order_release);
        // pairs with the fences of threads that wait at the entrance, of find_slot(), and of
        // request_worker().
        base::full_fence();
        // relaxed: ordered by the fence.
        if (entrance_.count.load(std::memory_order_relaxed) != 0) {
            wake_some(entrance_, ~0U, [](const wait_node&) { return true; });
        }
        if (!slot_wanted() || !take_slot(i)) {
            // relaxed, all: ordered by the fence; of the threads that see the flag, the exchange
            // selects one.
            if (slot_lacked_.load(std::memory_order_relaxed) &&
                slot_lacked_.exchange(false, std::memory_order_relaxed)) {
                look_again();
            }
            return;
        }
    } while (!grant(i, nullptr, false));
}

// Makes the thread the occupant of a slot that the caller has taken.
void arena::occupy(thread& t, unsigned i) noexcept
{
    // relaxed, both: it only grows, and the fence in work_added() orders it for threads that must
    // see it.
    unsigned used = used_.load(std::memory_order_relaxed);
    while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
    }
    note_use();
    t.in = this;
    t.at = &slot_[i];
    t.index = i;
}

bool arena::enter(thread& t, bool as_worker) noexcept
{
    int i = free_slot(as_worker ? shape_.reserved : 0);
    if (i < 0 && as_worker && first_for_workers() == 0) {
        i = free_slot();
    }
    if (i < 0) {
        return false;
    }
    refer();
    occupy(t, static_cast<unsigned>(i));
    t.serves = as_worker;
    t.observers_seen = 0;
    return true;
}

void arena::leave(thread& t) noexcept
{
    slot& s = *t.at;
    // relaxed: a hint.
    s.looks.store(false, std::memory_order_relaxed);
    t.in = nullptr;
    if (!hand_slot_over(t, false)) {
        end_standing_in(t);
        t.at = nullptr;
        free_up(t.index);
    }
    t.serves = false;
    end_if_left_behind();
    drop();
}

bool arena::slot_free(bool as_worker) const noexcept
{
    for (unsigned i = as_worker ? first_for_workers() : 0; i < slots_; ++i) {
        // relaxed: a guess; a thread that frees a slot afterwards checks for threads that want it.
        if (!slot_[i].occupied.load(std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

}  // namespace artel::onetbb
