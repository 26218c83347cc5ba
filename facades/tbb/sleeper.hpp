// One who waits for something that is told by other threads: it lies in lists, each with a lock,
// out of which wakers take it. It is on the waiter's stack, so a waker touches it under a lock of a
// list that it is still in, and the waiter leaves all lists before it goes on.
//
// No wake-up is lost: the waiter joins its lists, makes a full fence, and looks once more at what
// it waits for; a waker changes that, makes a full fence, and looks at the lists' counts.
#pragma once

#include "base/spinlock.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <cstdint>

namespace artel::onetbb {

class sleeper;

// A place in a list.
struct bunk {
    sleeper* of = nullptr;
    bunk* next = nullptr;
    bunk* before = nullptr;
    bool listed = false;            // guarded by the list's lock
    std::uint64_t number = 0;       // in the order of coming
    std::uintptr_t key = 0;         // what is waited for,
    std::uintptr_t second_key = 0;  // and what more, as the user of the list sees it
    bool takes_enqueued = false;    // see execution
    bool stands_in = false;         // see thread
};

// A list of those who wait, the longest waiting first. The caller holds `lock`.
struct bunk_list {
    base::spinlock lock;
    // relaxed, all: written under the lock, ordered by fences for who looks without it.
    std::atomic<unsigned> count{0};
    bunk* first = nullptr;
    bunk* last = nullptr;
    std::uint64_t added = 0;  // the number of the newest

    void add(bunk& b) noexcept;
    void remove(bunk& b) noexcept;
    // In the child of a fork: those who waited do not exist.
    void forget() noexcept;
};

class sleeper {
public:
    sleeper() = default;
    sleeper(const sleeper&) = delete;
    sleeper& operator=(const sleeper&) = delete;

    // Suspends the caller until poked; at once if it has been. In a guest_scope, or outside of the
    // crew, where the OS thread sleeps. Once.
    void sleep() noexcept;

    // By a waker that holds the lock of a list that it is in. What is returned is to be woken with
    // wake() when the lock is free; nullptr: nothing is to be done.
    fiber::fiber* poke() noexcept;
    static void wake(fiber::fiber* who) noexcept;

private:
    enum state : std::uint32_t { awake, asleep, in_kernel, poked };
    static void lie_down(fiber::carrier& here, fiber::fiber& previous, void* self);

    std::atomic<std::uint32_t> state_{awake};
    // For sched::may_carry: 0 as long as nobody has poked.
    std::atomic<std::uint64_t> told_{0};
    fiber::fiber* who_ = nullptr;
};

// The list for waiters for what is known by an address.
bunk_list& waiters_at(std::uintptr_t address) noexcept;

// Wakes up to `most` of those who are in the list when it is called, and for whom wanted(bunk)
// holds: nobody twice who goes back to sleep at once.
template <class Wanted>
void wake_some(bunk_list& l, unsigned most, Wanted wanted) noexcept
{
    constexpr unsigned at_a_time = 16;
    fiber::fiber* woken[at_a_time];
    std::uint64_t newest = 0;
    for (bool more = true; more;) {
        unsigned n = 0;
        more = false;
        l.lock.lock();
        newest = newest == 0 ? l.added : newest;
        for (bunk* b = l.first; b != nullptr && b->number <= newest && most != 0;) {
            bunk* const next = b->next;
            if (wanted(*b)) {
                if (n == at_a_time) {
                    more = true;
                    break;
                }
                woken[n] = b->of->poke();
                n += woken[n] != nullptr ? 1 : 0;
                l.remove(*b);
                --most;
            }
            b = next;
        }
        l.lock.unlock();
        for (unsigned i = 0; i < n; ++i) {
            sleeper::wake(woken[i]);
        }
    }
}

// The same for those who wait at the address. The caller has changed what they wait for, and made a
// full fence since.
template <class Wanted>
void wake_at(std::uintptr_t address, unsigned most, Wanted wanted) noexcept
{
    bunk_list& l = waiters_at(address);
    // relaxed: ordered by the caller's fence.
    if (l.count.load(std::memory_order_relaxed) != 0) {
        wake_some(l, most, [address, wanted](bunk& b) { return b.key == address && wanted(b); });
    }
}

// Sleeps as long as still_waits(), which may throw. In a guest_scope or outside of the crew; see
// wake_at.
template <class StillWaits>
void sleep_at(std::uintptr_t address, std::uintptr_t second_key, StillWaits still_waits);

void forget_waiters_after_fork() noexcept;

// The stay in a list, for as long as it lasts.
class stay {
public:
    stay(bunk_list& l, sleeper& of, std::uintptr_t key, std::uintptr_t second_key) noexcept
        : list_(l)
    {
        bunk_.of = &of;
        bunk_.key = key;
        bunk_.second_key = second_key;
        list_.lock.lock();
        list_.add(bunk_);
        list_.lock.unlock();
    }
    ~stay()
    {
        list_.lock.lock();
        list_.remove(bunk_);
        list_.lock.unlock();
    }
    stay(const stay&) = delete;
    stay& operator=(const stay&) = delete;

private:
    bunk_list& list_;
    bunk bunk_;
};

template <class StillWaits>
void sleep_at(std::uintptr_t address, std::uintptr_t second_key, StillWaits still_waits)
{
    sleeper me;
    const stay in(waiters_at(address), me, address, second_key);
    // store-buffering pair with the fence of whoever calls wake_at.
    base::full_fence();
    if (still_waits()) {
        me.sleep();
    }
}

}  // namespace artel::onetbb
