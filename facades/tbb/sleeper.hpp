// Wait lists. A thread that has to wait puts nodes into one or more lists, each with a lock, and
// sleeps; wakers take nodes out and signal their sleeper. Sleeper and nodes are on the waiter's
// stack. So a waker touches them only under the lock of a list that still holds the node, and the
// waiter removes all of its nodes before it returns. An alarm wakes under the lock of all alarms,
// which the waiter clears before it returns.
//
// No wake-up is lost: the waiter adds its nodes, makes a full fence, and checks once more what it
// waits for; a waker changes that, makes a full fence, and reads the counts of the lists.
#pragma once

#include "base/spinlock.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <cstdint>

namespace artel::onetbb {

class sleeper;

// An entry of a wait list.
struct wait_node {
    sleeper* of = nullptr;
    wait_node* next = nullptr;
    wait_node* before = nullptr;
    bool listed = false;            // guarded by the list's lock
    std::uint64_t number = 0;       // entries of a list are numbered as they are added
    std::uintptr_t key = 0;         // what is waited for,
    std::uintptr_t second_key = 0;  // and a second condition; the user of the list says which
    bool takes_enqueued = false;    // see execution
    bool stands_in = false;         // see thread
};

// First in, first out. Callers of the functions hold `lock`.
struct wait_list {
    base::spinlock lock;
    // relaxed, all: written under the lock; a thread that reads it without the lock has made a
    // fence.
    std::atomic<unsigned> count{0};
    wait_node* first = nullptr;
    wait_node* last = nullptr;
    std::uint64_t added = 0;  // the number of the newest

    void add(wait_node& b) noexcept;
    void remove(wait_node& b) noexcept;
    // In the child of a fork, where the waiters do not exist.
    void forget() noexcept;
};

class sleeper {
public:
    sleeper() = default;
    sleeper(const sleeper&) = delete;
    sleeper& operator=(const sleeper&) = delete;

    // Suspends the caller until poke() is called; returns at once if it was called before. The
    // caller is in a guest_scope, or outside of the crew: then its OS thread sleeps. Called once.
    // `waits_for`: what a thread of the program waits for (sched/program_regions.hpp); without one
    // it carries no tasks meanwhile.
    void sleep(const void* waits_for = nullptr) noexcept;

    // As sleep(), for at most that time, in nanoseconds; false when it is over. Where the system
    // gives no thread for alarms, it sleeps until poke() is called.
    bool sleep_for(std::int64_t time) noexcept;

    // Called by a waker that holds the lock of a list with a node of this sleeper. The waker passes
    // the result to wake() once it has released the lock.
    fiber::fiber* poke() noexcept;
    static void wake(fiber::fiber* who) noexcept;

private:
    enum state : std::uint32_t { awake, asleep, in_kernel, poked };
    static void switched_away(fiber::carrier& here, fiber::fiber& previous, void* self);

    std::atomic<std::uint32_t> state_{awake};
    // For sched::may_carry: 1 once poke() was called.
    std::atomic<std::uint64_t> poked_{0};
    fiber::fiber* who_ = nullptr;
};

// The list of the waiters for something at this address, and at others of the same bucket.
wait_list& waiters_at(std::uintptr_t address) noexcept;

// Wakes up to `most` of the waiters for which wanted(wait_node) holds, and only waiters that are in
// the list when it is called: one that goes back to sleep at once is not woken twice.
template <class Wanted>
void wake_some(wait_list& l, unsigned most, Wanted wanted) noexcept
{
    constexpr unsigned at_a_time = 16;
    fiber::fiber* woken[at_a_time];
    std::uint64_t newest = 0;
    for (bool more = true; more;) {
        unsigned n = 0;
        more = false;
        l.lock.lock();
        newest = newest == 0 ? l.added : newest;
        for (wait_node* b = l.first; b != nullptr && b->number <= newest && most != 0;) {
            wait_node* const next = b->next;
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

// The same for the waiters at the address. The caller has changed what they wait for, and has then
// made a full fence.
template <class Wanted>
void wake_at(std::uintptr_t address, unsigned most, Wanted wanted) noexcept
{
    wait_list& l = waiters_at(address);
    // relaxed: ordered by the caller's fence.
    if (l.count.load(std::memory_order_relaxed) != 0) {
        wake_some(l, most,
                  [address, wanted](wait_node& b) { return b.key == address && wanted(b); });
    }
}

// Sleeps until wake_at() is called for the address, unless still_waits() says that there is nothing
// to wait for; that may throw. In a guest_scope or outside of the crew.
template <class StillWaits>
void sleep_at(std::uintptr_t address, std::uintptr_t second_key, StillWaits still_waits);

void forget_waiters_after_fork() noexcept;

// Keeps a sleeper in a wait list for the length of a block.
class wait_scope {
public:
    wait_scope(wait_list& l, sleeper& of, std::uintptr_t key, std::uintptr_t second_key) noexcept
        : list_(l)
    {
        node_.of = &of;
        node_.key = key;
        node_.second_key = second_key;
        list_.lock.lock();
        list_.add(node_);
        list_.lock.unlock();
    }
    ~wait_scope()
    {
        list_.lock.lock();
        list_.remove(node_);
        list_.lock.unlock();
    }
    wait_scope(const wait_scope&) = delete;
    wait_scope& operator=(const wait_scope&) = delete;

private:
    wait_list& list_;
    wait_node node_;
};

template <class StillWaits>
void sleep_at(std::uintptr_t address, std::uintptr_t second_key, StillWaits still_waits)
{
    sleeper me;
    const wait_scope in(waiters_at(address), me, address, second_key);
    // store-buffering pair with the fences of callers of wake_at.
    base::full_fence();
    if (still_waits()) {
        me.sleep();
    }
}

}  // namespace artel::onetbb
