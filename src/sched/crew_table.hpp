// The table of the crew's workers: slots and seats.
#pragma once

#include "sched/slot_set.hpp"
#include "sched/worker.hpp"

#include <atomic>
#include <memory>

namespace artel::sched {

class crew;

// own workers, guests and reserves together.
inline constexpr unsigned max_workers = base::modelled ? 4 : 4096;

// Addresses of workers. The crew's memory is zero when it is made, so the entries, nearly all of
// which stay nullptr, need no initialisation, and their pages stay untouched.
template <unsigned size>
class slot_table {
public:
    slot_table() noexcept
    {
        if constexpr (base::modelled) {
            std::uninitialized_value_construct_n(slots_, size);
        }
    }
    // Destructors of atomics do something in models only.
    ~slot_table() { std::destroy_n(slots_, size); }
    slot_table(const slot_table&) = delete;
    slot_table& operator=(const slot_table&) = delete;

    std::atomic<worker*>& operator[](unsigned i) noexcept { return slots_[i]; }
    const std::atomic<worker*>& operator[](unsigned i) const noexcept { return slots_[i]; }

private:
    union {
        std::atomic<worker*> slots_[size];
    };
};

class crew_table {
public:
    // The table of all slots that a worker ever had, for statistics. Entries below table_size() are
    // never nullptr. acquire: pairs with add().
    unsigned table_size() const noexcept { return table_size_.load(std::memory_order_acquire); }
    // acquire: as above.
    worker* at(unsigned i) const noexcept { return table_[i].load(std::memory_order_acquire); }

    // Calls visit(worker&) for workers that have a thread, or may get one in a moment, until it
    // returns true; returns whether it did. Takes time proportional to their number. Starts with
    // slot `start` (at most max_workers).
    template <class Visit>
    bool any_worker_from(unsigned start, Visit&& visit) const noexcept
    {
        return in_use_.any_from(start, [&](unsigned i) { return visit(*at(i)); });
    }
    template <class Visit>
    bool any_worker(Visit&& visit) const noexcept
    {
        return any_worker_from(0, visit);
    }

    // The worker in seat `i`, for code that reaches workers one after the other: seat 0 is the
    // first external thread's, the others are the crew's own threads', as far as they exist. The
    // answer is final unless it is nullptr.
    worker* in_seat(unsigned i) const noexcept
    {
        if (i != 0) {
            // acquire: pairs with own_worker()
            return i <= max_workers ? members_[i - 1].load(std::memory_order_acquire) : nullptr;
        }
        worker* const first = at(0);
        return first != nullptr && first->kind == role::guest ? first : nullptr;
    }

protected:
    // The process's crew; nullptr if there is none yet, as in the child of a fork.
    static crew* made() noexcept;

    slot_table<max_workers> table_;
    std::atomic<unsigned> table_size_{0};
    slot_table<max_workers> members_;  // own threads by number
    slot_set<max_workers> in_use_;     // changed under growing_
};

}  // namespace artel::sched
