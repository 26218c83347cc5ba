// The life of a running loop: its pool, its participants, and the claims on its iterations. The invariants are in the header.
#include "loop/descriptor.hpp"

#include "sched/guest_scope.hpp"
#include "sched/wait_word.hpp"

#include <array>
#include <new>
#include <pthread.h>
#include <utility>

namespace artel::loop {

struct list {
    descriptor* first = nullptr;
    unsigned count = 0;
};

// Per-worker lists of descriptors, each touched only by its worker's OS thread, between two switches.
struct descriptor_pool {
    static constexpr unsigned most_kept = 8;
    static constexpr std::uint32_t most_units = 1u << 31;

    static inline constinit std::array<list, sched::max_workers> lists;  // untouched pages cost nothing

    static descriptor* take(unsigned slots) noexcept
    {
        if (const sched::worker* const w = sched::this_worker(); w != nullptr) {
            list& l = lists[w->index];
            if (l.first != nullptr && l.first->capacity_ >= slots) {
                --l.count;
                descriptor* const taken = l.first;
                l.first = taken->next_;
                return taken;
            }
        }
        void* const memory = ::operator new(sizeof(descriptor) + slots * sizeof(slot), std::align_val_t{alignof(descriptor)},
                                            std::nothrow);
        if (memory == nullptr) {
            return nullptr;
        }
        auto* const made = new (memory) descriptor;
        made->capacity_ = slots;
        for (unsigned i = 0; i < slots; ++i) {
            slot& s = *new (&made->slot_array()[i]) slot;
            for (ticket* const t : {&s.invitation, &s.spread[0], &s.spread[1]}) {
                t->of = made;
            }
        }
        return made;
    }

    static void give(descriptor* d) noexcept
    {
        if (const sched::worker* const w = sched::this_worker(); w != nullptr) {
            list& l = lists[w->index];
            if (l.count < most_kept) {
                d->next_ = l.first;
                l.first = d;
                ++l.count;
                return;
            }
        }
        d->~descriptor();
        ::operator delete(d, std::align_val_t{alignof(descriptor)});
    }

    static void forget_after_fork() noexcept
    {
        for (list& l : lists) {
            if (l.first != nullptr) {
                l = {};
            }
        }
    }
    static inline const int registered = ::pthread_atfork(nullptr, nullptr, forget_after_fork);
};

descriptor* descriptor::make(const request& r, unsigned slots) noexcept
{
    descriptor* const d = descriptor_pool::take(slots);
    if (d == nullptr) {
        return nullptr;
    }
    // relaxed everywhere: nobody else knows it yet; the queues publish it.
    d->state_.store(0, std::memory_order_relaxed);
    d->references_.store(1, std::memory_order_relaxed);  // relaxed: as above
    d->failed_.store(false, std::memory_order_relaxed);  // relaxed: as above
    d->stoppable_ = r.stop.stop_possible();
    d->slots_ = slots;
    d->request_ = &r;
    const std::uint64_t iterations = static_cast<std::uint64_t>(r.end) - static_cast<std::uint64_t>(r.begin);
    const std::uint64_t unit = iterations <= descriptor_pool::most_units ? 1 : iterations / descriptor_pool::most_units + 1;
    const std::uint64_t units = unit == 1 ? iterations : iterations / unit + (iterations % unit != 0 ? 1 : 0);
    d->unit_ = static_cast<std::int64_t>(unit);
    d->grain_units_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(r.grain) / unit, 1, units));
    const std::uint64_t share = units / slots;
    const std::uint64_t longer = units % slots;  // the first ones get one more
    std::uint64_t first = 0;
    for (unsigned i = 0; i < slots; ++i) {
        const std::uint64_t last = first + share + (i < longer ? 1 : 0);
        slot& s = d->at(i);
        // relaxed (three): as above.
        s.range.store(pack({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)}), std::memory_order_relaxed);
        s.taken.store(false, std::memory_order_relaxed);
        s.arrived.store(false, std::memory_order_relaxed);
        first = last;
    }
    return d;
}

void descriptor::leave() noexcept
{
    // release: what this participant did is seen by the caller. acquire: the last one passes on what the others released.
    const std::uint32_t before = state_.fetch_sub(1, std::memory_order_acq_rel);
    if ((before & awaited) != 0 && (before & participants) == 1) {
        sched::wake_word(state_, 1);  // the reference that the participant still holds keeps the word alive
    }
}

unsigned descriptor::take_slot(unsigned wanted) noexcept
{
    slot& s = at(wanted);
    // relaxed: decides only who has the number; what is in the slot is taken by CAS.
    if (!s.taken.load(std::memory_order_relaxed) && !s.taken.exchange(true, std::memory_order_relaxed)) {
        return wanted;
    }
    return no_slot;
}

unsigned descriptor::take_slot() noexcept
{
    for (unsigned i = 0; i < slots_; ++i) {
        if (take_slot(i) != no_slot) {
            return i;
        }
    }
    return no_slot;
}

void descriptor::close() noexcept
{
    // acquire: pairs with leave(): all that participants did who have left already. release: pairs with nothing, a late enter() only leaves.
    std::uint32_t now = state_.fetch_or(closed, std::memory_order_acq_rel) | closed;
    if ((now & participants) == 0) {
        return;
    }
    const sched::guest_scope scope;
    constexpr unsigned patience = 24;  // rounds of 25 ns: about the last chunk of a light loop, and more than a suspension costs
    for (unsigned i = 0; (now & participants) != 0; ++i) {
        const sched::worker* const w = sched::this_worker();
        const bool spin = i < patience && (w == nullptr || !w->has_work());
        // relaxed CAS: announces the waiter; wait_word compares again.
        if (spin) {
            base::cpu_relax();
        } else if ((now & awaited) != 0 || state_.compare_exchange_strong(now, now | awaited, std::memory_order_relaxed)) {
            sched::wait_word(state_, now | awaited);
        }
        now = state_.load(std::memory_order_acquire);  // acquire: pairs with leave()
    }
}

void descriptor::await_others() noexcept
{
    for (;;) {
        std::uint32_t now = state_.load(std::memory_order_acquire);  // acquire: pairs with leave()
        if ((now & participants) == 0) {
            bool left = false;
            for (unsigned i = 0; i < slots_ && !left; ++i) {
                left = has_units(i);
            }
            if (!left || stopped()) {
                return;
            }
        }
        // relaxed: announces the waiter; wait_word compares again.
        if ((now & awaited) != 0 || state_.compare_exchange_strong(now, now | awaited, std::memory_order_relaxed)) {
            sched::wait_word(state_, now | awaited);
        }
    }
}

void descriptor::drop_reference() noexcept
{
    // release: our use of it ends before its reuse; acquire: the last one sees that of the others.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        descriptor_pool::give(this);
    }
}

unit_range descriptor::claim(unsigned own, std::uint32_t most) noexcept
{
    std::atomic<std::uint64_t>& word = at(own).range;
    std::uint64_t now = word.load(std::memory_order_relaxed);  // relaxed: the CAS decides
    for (;;) {
        const unit_range there = unpack(now);
        if (there.empty()) {
            return {};
        }
        const std::uint32_t end = there.size() <= most ? there.last : there.first + most;
        // relaxed: units carry no data but themselves; the loop's set-up was acquired by enter().
        if (word.compare_exchange_weak(now, pack({end, there.last}), std::memory_order_relaxed)) {
            return {there.first, end};
        }
    }
}

unit_range descriptor::claim_all(unsigned from) noexcept
{
    return claim(from, ~0u);
}

bool descriptor::steal_half(unsigned own, unsigned victim) noexcept
{
    std::atomic<std::uint64_t>& word = at(victim).range;
    std::uint64_t now = word.load(std::memory_order_relaxed);  // relaxed: the CAS decides
    for (;;) {
        const unit_range there = unpack(now);
        if (there.empty()) {
            return false;
        }
        const std::uint32_t middle = there.first + there.size() / 2;
        // relaxed: as in claim.
        if (word.compare_exchange_weak(now, pack({there.first, middle}), std::memory_order_relaxed)) {
            // relaxed: the own slot is empty, so nobody else writes it.
            at(own).range.store(pack({middle, there.last}), std::memory_order_relaxed);
            return true;
        }
    }
}

void descriptor::run(unit_range units, unsigned participant) noexcept
{
    const request& r = *request_;
    const std::int64_t begin = r.begin + static_cast<std::int64_t>(units.first) * unit_;
    // Only the last unit may be shorter; computed as unsigned because the sum may pass the largest integer.
    const std::uint64_t length = static_cast<std::uint64_t>(units.size()) * static_cast<std::uint64_t>(unit_);
    const std::uint64_t left = static_cast<std::uint64_t>(r.end) - static_cast<std::uint64_t>(begin);
    const std::int64_t end = length < left ? begin + static_cast<std::int64_t>(length) : r.end;
    try {
        r.body(r.context, begin, end, participant);
    } catch (...) {
        fail();
    }
}

void descriptor::fail() noexcept
{
    // relaxed: decides who writes the error, which leave() publishes.
    if (!failed_.exchange(true, std::memory_order_relaxed)) {
        error_ = std::current_exception();
    }
}

}  // namespace artel::loop
