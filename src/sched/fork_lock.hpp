// A spinlock that the child of a fork finds free, with complete data: a fork waits until no thread
// holds any of these locks, and lets nobody take one until it is over. They may lie anywhere, also
// in memory of the program that is never destroyed. For critical sections of a few instructions
// that never switch; they may be nested.
//
// Each thread counts the locks that it holds: a worker where others see it, so that this costs no
// atomic operation, and all other threads together in one counter. A thread counts first, takes the
// lock, and then looks whether anybody forks; who forks says so, and then looks at the counts. Each
// makes a full fence between the two, so that one of them sees the other.
//
// A thread that sees the fork gives the lock back before it changes anything. The process may be
// copied just before it does that: then the child finds the lock taken by a thread that it does not
// have. So a lock is taken by writing the number of the process's generation, and in the child, one
// generation later, a lock with an older number is as good as free, unless it has a holder: that is
// then the thread that has forked.
//
// Not excluded: a thread that forks itself, and takes such a lock in a handler of its fork while
// another thread's fork copies the process. No handler of ours does that.
//
// A fork waits for the holders before any handler of ours takes a lock for it. So whoever holds a
// lock of the whole process (foreign::fork_safe_lock, the shards of full/empty words) and then
// takes one of these must have begun a fork_section first.
//
// Rejected: a list of all locks, which the forking thread takes: most lie in objects that come and
// go quickly, and some have no constructor. To free the locks in the child without having waited,
// where their data may be half changed. To look for forks before the lock is taken: that takes a
// second fence in each lock, or one on all threads in each fork, which not every kernel has.
#pragma once

#include "base/spinlock.hpp"

#if !defined(ARTEL_MODEL)
#include "base/cpu.hpp"
#include "sched/crew_table.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#endif

namespace artel::sched {

#if defined(ARTEL_MODEL)

using fork_lock = base::spinlock;
struct fork_section {
    fork_section() noexcept {}
};

#else

// Forks on one side and holders on the other exclude each other; several of a side do not.
class fork_exclusion {
public:
    // The handlers of a fork. Registered by the interfaces that have such locks, so after those of
    // libartel, whose locks are then taken while no such lock is held. Several may do so.
    static void begin_fork() noexcept;
    static void end_fork() noexcept;
    static void end_fork_in_child() noexcept;

    // For who has a lock of its own: from enter(), which returns what leave() needs, no fork
    // begins.
    static unsigned enter() noexcept;
    static void leave(unsigned in) noexcept { count_out(in); }

private:
    friend class fork_lock;

    struct alignas(base::cache_line) count {
        std::atomic<unsigned> held{0};  // written by its worker only
    };
    // One object, so that one address is looked up for each lock.
    struct state {
        // relaxed (two): a store-buffering pair with the counts, see begin_fork.
        std::atomic<unsigned> forks{0};    // threads that fork now
        std::atomic<unsigned> counted{0};  // above all workers that have counted themselves
        // How often a process was forked on the way to this one, from 1. relaxed, all: changes only
        // while the process has one thread.
        std::atomic<std::uint32_t> generation{1};
        std::array<count, max_workers> of_workers;
        std::atomic<unsigned> of_others{0};
    };
    static state all;
    static constexpr unsigned outsider = max_workers;

    // Returns where the caller is counted: it may become a worker before it counts itself out.
    static unsigned count_in() noexcept
    {
        const fiber::carrier* const w = fiber::this_tls().current_carrier;
        if (w == nullptr) [[unlikely]] {
            return count_outsider_in();
        }
        const unsigned i = static_cast<const worker*>(w)->index;
        // relaxed: only grows, and what this thread has seen it has at least.
        if (i >= all.counted.load(std::memory_order_relaxed)) [[unlikely]] {
            look_up_to(i);
        }
        change(all.of_workers[i].held, 1);
        return i;
    }
    static void count_out(unsigned in) noexcept
    {
        if (in == outsider) [[unlikely]] {
            count_outsider_out();
        } else {
            change(all.of_workers[in].held, -1);
        }
    }
    static void change(std::atomic<unsigned>& own, int by) noexcept
    {
        // relaxed: its own. release: pairs with begin_fork.
        own.store(own.load(std::memory_order_relaxed) + static_cast<unsigned>(by),
                  std::memory_order_release);
    }
    static bool may_enter(unsigned in) noexcept
    {
        // relaxed: ordered by the fence in front of it.
        return all.forks.load(std::memory_order_relaxed) == 0 || may_stay(in);
    }
    [[gnu::cold]] static unsigned count_outsider_in() noexcept;
    [[gnu::cold]] static void count_outsider_out() noexcept;
    [[gnu::cold]] static void look_up_to(unsigned worker) noexcept;
    [[gnu::cold]] static bool may_stay(unsigned in) noexcept;
    [[gnu::cold]] static void wait_for_forks() noexcept;
};

inline unsigned fork_exclusion::enter() noexcept
{
    for (;;) {
        const unsigned in = count_in();
        base::full_fence();  // store-buffering pair with begin_fork
        if (may_enter(in)) [[likely]] {
            return in;
        }
        count_out(in);
        wait_for_forks();
    }
}

// As if it held such a lock.
class fork_section {
public:
    fork_section() noexcept : in_(fork_exclusion::enter()) {}
    fork_section(const fork_section&) = delete;
    fork_section& operator=(const fork_section&) = delete;
    ~fork_section() { fork_exclusion::leave(in_); }

private:
    const unsigned in_;
};

class fork_lock {
public:
    void lock() noexcept
    {
        for (;;) {
            const unsigned in = fork_exclusion::count_in();
            take();
            if (may_have_it(in)) [[likely]] {
                return;
            }
        }
    }
    bool try_lock() noexcept
    {
        for (;;) {
            const unsigned in = fork_exclusion::count_in();
            if (!taken_at_once()) {
                fork_exclusion::count_out(in);
                return false;
            }
            if (may_have_it(in)) [[likely]] {
                return true;
            }
        }
    }
    void unlock() noexcept
    {
        const unsigned in = counted_.load(std::memory_order_relaxed) - 1U;  // relaxed: its own
        if (generation_.load(std::memory_order_relaxed) != current()) [[unlikely]] {
            // The holder has forked, and this is the child. relaxed: the release below orders it.
            generation_.store(current(), std::memory_order_relaxed);
        }
        // release: pairs with the acquire in taken_at_once(), which sees the number above, too.
        counted_.store(0, std::memory_order_release);
        // release: publishes the section to the next holder. From here on the lock may be gone.
        generation_.store(0, std::memory_order_release);
        fork_exclusion::count_out(in);
    }

private:
    static std::uint32_t current() noexcept
    {
        // relaxed: see there.
        return fork_exclusion::all.generation.load(std::memory_order_relaxed);
    }
    bool taken_at_once() noexcept
    {
        const std::uint32_t here = current();
        // acquire: pairs with the release in unlock(). Read before the number: where it says that
        // there is no holder, a holder from before a fork has renewed the number.
        const bool held = counted_.load(std::memory_order_acquire) != 0;
        // acquire: pairs with the release in unlock(), so the holder before us has finished its
        // section.
        const std::uint32_t before = generation_.exchange(here, std::memory_order_acquire);
        return before == 0 || (before != here && !held);
    }
    void take() noexcept
    {
        while (!taken_at_once()) {
            // relaxed: only a hint when to try again.
            base::spin_while([this, here = current()] {
                return generation_.load(std::memory_order_relaxed) == here;
            });
        }
    }
    // Called with the lock; false, when it has given it back and somebody has forked.
    bool may_have_it(unsigned counted) noexcept
    {
        // On x86 the exchange that has taken the lock is a full fence.
#if defined(__x86_64__)
        std::atomic_signal_fence(std::memory_order_seq_cst);  // seq_cst: for the compiler
#else
        base::full_fence();  // store-buffering pair with fork_exclusion::begin_fork
#endif
        if (fork_exclusion::may_enter(counted)) [[likely]] {
            // relaxed: for the holder, and for children of its forks.
            counted_.store(static_cast<std::uint16_t>(counted + 1), std::memory_order_relaxed);
            return true;
        }
        generation_.store(0, std::memory_order_release);  // release: as in unlock()
        fork_exclusion::count_out(counted);
        fork_exclusion::wait_for_forks();
        return false;
    }

    std::atomic<std::uint32_t> generation_{0};  // in which it was taken; 0: free
    std::atomic<std::uint16_t> counted_{0};     // where the holder is counted, plus one; 0: none
};

#endif

}  // namespace artel::sched
