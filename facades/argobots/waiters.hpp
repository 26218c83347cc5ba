// Waiters, in any context: a work unit, an external thread or another light thread of the crew. A
// waiter is added to its list in the `after` function of its suspension, when its context is saved,
// and under the lock of what it waits for; there the condition is checked once more.
#pragma once

#include "fiber/fiber.hpp"
#include "sched/alarm.hpp"
#include "sched/fork_lock.hpp"

namespace artel::argobots {

struct waiter {
    fiber::fiber* who = nullptr;
    waiter* next = nullptr;
    bool too_late = false;          // its time passed first; under the lock of the list
    sched::alarm* limit = nullptr;  // set while it waits with a time limit
};

// A FIFO, used under a lock. All zero is empty.
struct waiter_list {
    waiter* first;
    waiter* last;

    bool empty() const noexcept { return first == nullptr; }
    void push(waiter& w) noexcept
    {
        w.next = nullptr;
        (first != nullptr ? last->next : first) = &w;
        last = &w;
    }
    void push_first(waiter& w) noexcept
    {
        w.next = first;
        if (first == nullptr) {
            last = &w;
        }
        first = &w;
    }
    waiter* pop() noexcept
    {
        waiter* const w = first;
        if (w != nullptr) {
            first = w->next;
        }
        return w;
    }
    // Takes all waiters out, as a chain.
    waiter* take() noexcept
    {
        waiter* const all = first;
        first = nullptr;
        return all;
    }
    bool remove(waiter& w) noexcept;
};

void wake(waiter& w) noexcept;

// Clears the alarms of a chain: an alarm accesses the object that is waited for, which may be gone
// as soon as the first of the chain continues, or the caller returns. Not under a lock that alarms
// take.
inline void forget_limits(const waiter* first) noexcept
{
    for (; first != nullptr; first = first->next) {
        if (first->limit != nullptr) {
            sched::clear_alarm(*first->limit);
        }
    }
}

// Wakes a chain. Reads the next waiter before it wakes one, which may not exist afterwards.
inline void wake_chain(waiter* first) noexcept
{
    while (first != nullptr) {
        waiter* const next = first->next;
        wake(*first);
        first = next;
    }
}

// Suspends the caller, in any context. `after` makes it visible to its waker.
void block(fiber::after_switch after, void* argument) noexcept;

// A wait for a condition. `joins(waiter)` runs under `lock`: it adds the waiter to a list and
// returns true if it has to wait. If it has a member then(), that is called after the unlock,
// before the waiter continues, unless another thread has woken it by then. It is also called for a
// waiter whose time has passed before it joined, which is added to no list.
template <class Joins>
struct wait_under_lock : waiter {
    wait_under_lock(sched::fork_lock& l, Joins& j) noexcept : lock(l), joins(j) {}
    sched::fork_lock& lock;
    Joins& joins;

    static void settle(fiber::carrier&, fiber::fiber& previous, void* argument)
    {
        auto& self = *static_cast<wait_under_lock*>(argument);
        self.lock.lock();
        self.who = &previous;
        const bool stays = !self.too_late && self.joins(self);
        sched::fork_lock& held = self.lock;
        if constexpr (requires { self.joins.then(); }) {
            auto joins = self.joins;
            held.unlock();  // from here on a waiter that waits may not exist
            joins.then();
        } else {
            held.unlock();  // as above
        }
        if (!stays) {
            waiter w;
            w.who = &previous;
            wake(w);
        }
    }
};

template <class Joins>
void wait(sched::fork_lock& lock, Joins&& joins) noexcept
{
    wait_under_lock<Joins> w(lock, joins);
    block(wait_under_lock<Joins>::settle, &w);
}

// The same until `deadline` (CLOCK_MONOTONIC, nanoseconds). False when it has passed.
template <class Joins>
struct timed_wait_under_lock : wait_under_lock<Joins> {
    timed_wait_under_lock(sched::fork_lock& l, Joins& j, waiter_list& in) noexcept
        : wait_under_lock<Joins>(l, j), list(in)
    {}
    waiter_list& list;
    struct limit_alarm : sched::alarm {
        timed_wait_under_lock* of = nullptr;
    } own;

    static fiber::fiber* ring(sched::alarm& a) noexcept
    {
        auto& self = *static_cast<limit_alarm&>(a).of;
        self.lock.lock();
        fiber::fiber* woken = nullptr;
        if (self.who == nullptr) {
            self.too_late = true;  // it has not reached the list yet
        } else if (self.list.remove(self)) {
            self.too_late = true;
            woken = self.who;
        }
        self.lock.unlock();
        return woken;
    }
};

template <class Joins>
bool wait_until(sched::fork_lock& lock, waiter_list& list, sched::moment deadline,
                Joins&& joins) noexcept
{
    timed_wait_under_lock<Joins> w(lock, joins, list);
    w.own.ring = timed_wait_under_lock<Joins>::ring;
    w.own.when = deadline;
    w.own.of = &w;
    if (deadline <= sched::now()) {
        w.too_late = true;  // it suspends once, as any waiter, so that others go first
    } else if (sched::set_alarm(w.own)) {
        w.limit = &w.own;
    }
    block(wait_under_lock<Joins>::settle, static_cast<wait_under_lock<Joins>*>(&w));
    if (w.limit != nullptr) {
        sched::clear_alarm(w.own);
    }
    return !w.too_late;
}

}  // namespace artel::argobots
