// A worker: one OS thread that runs work. Three roles: the crew's own workers (own), threads
// that the crew did not make and that take part while they wait (guest), and threads that the
// monitor adds when the others are stuck (reserve). Others use the queues and the parker, and read
// and write the atomics, as each one's comment says. All else is the owner's, save what is written
// before its OS thread starts and next_free, which the lock of its list protects.
#pragma once

#include "base/counter.hpp"
#include "base/work.hpp"
#include "fiber/fiber.hpp"
#include "sched/deque.hpp"
#include "sched/inbox.hpp"
#include "sched/offer.hpp"
#include "sched/parker.hpp"
#include "sched/preempted_peer.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <sched.h>

namespace artel::sched {

class crew;

enum class role : std::uint8_t { own, guest, reserve };

struct worker : fiber::carrier {
    worker(crew& owner, unsigned slot, role r, unsigned place) noexcept
        : own_crew(owner), index(slot), seat(place), kind(r), random(slot * 2654435761u + 1)
    {}

    crew& own_crew;
    const unsigned index;  // in the crew's table
    // Its place: the crew's own threads are 1 and up, by their number, however many external
    // threads came before them. For others it is the index.
    const unsigned seat;
    role kind;
    unsigned cache_group = 0;  // the same number: they share a last-level cache or a NUMA node
    std::uint64_t random;      // xorshift state for the choice of victims
    fiber::fiber* free_loops = nullptr;  // a free list of scheduling loops, linked by `next`
    unsigned free_loop_count = 0;
    // work that was found at a switch and that only a scheduling loop can run.
    base::work* handed = nullptr;
    fiber::fiber base;                     // the OS thread's own stack
    unsigned inside = 0;                   // guests: nesting of guest_scope on their own stack
    std::atomic<bool> taking_part{false};  // guests: between guest_begins and guest_ends
    // Guests: the word on which the bound fiber sleeps while it is `asleep_value`; nullptr when it
    // waits for anything else. See may_carry.
    const std::atomic<std::uint64_t>* asleep_on = nullptr;
    std::uint64_t asleep_value = 0;
    // Meanwhile: what the bound fiber waits for, a region or an arena. It goes on no sooner than
    // the personas that work for this (sched/program_regions.hpp).
    const void* waits_for = nullptr;
    // Guests: it has met personas in this scope that work for something else.
    bool met_others = false;
    // Guests in a crew of one thread (left_tasks.hpp). group_events: how often it has left a task
    // to waiting threads or has started to wait for a group. relies_on_others: it has let a task
    // lie for so long that its next ones are not left; set by the monitor, cleared by the owner.
    // has_old_task: it must run its oldest task when it next waits for a group; set by the monitor,
    // cleared by either. relaxed: hints.
    base::counter group_events;
    std::atomic<bool> relies_on_others{false};
    std::atomic<bool> has_old_task{false};
    // base::cycles() when it saw that another thread may need its CPU, 0 when the last look saw
    // none (spin.hpp).
    std::uint64_t shares_since = 0;
    // base::cycles() when leave_shared_cpu last moved the OS thread.
    std::uint64_t moved = 0;
    // how often a look as a thief met an owner at work (crew::owner_at_work).
    unsigned looks_at_owner = 0;
    // the last look for tasks met an owner at work on them (owner_at_work, too_young).
    bool disturbs = false;
    preempted_peer_watch watch;  // for peers that lost their CPU
    bool took_offer = false;     // the last thing that idle() returned was an offer
    bool slept = false;          // it has slept in the kernel, and has had no work since
    bool away = false;           // announced as idle, without an OS thread (departure.cpp)
    // It has dropped the duty to search (PROTOCOLS.md, lemma 2), and has neither looked again nor
    // told others since.
    bool owes_look = false;
    // the affinity mask that the new thread takes when it runs (start_apart).
    std::unique_ptr<cpu_set_t> mask_at_start;
    // For ARTEL_STATS.
    base::counter sweeps;        // over the workers, for something to take
    base::counter visits;        // of other workers in sweeps
    base::counter tasks_taken;   // from others' deques
    base::counter fibers_taken;  // ready fibers and mail of others
    base::counter sleeps;        // in the kernel
    base::counter vain_wakeups;  // wake-ups after which it found no work before the next sleep
    base::counter moves;         // to another CPU (leave_shared_cpu)
    // naps, to make the kernel move a peer to this CPU (preempted_peer.hpp).
    base::counter naps;
    base::counter yields;         // yields of the CPU (spin.hpp)
    worker* next_free = nullptr;  // in the crew's lists of resting and of ended reserves

    deque<base::work> tasks;  // fork-join work: the owner takes the youngest, thieves the oldest
    deque<base::work> ready;  // resumed fibers and delivered work: everybody takes the oldest
    inbox mail;               // addressed to this worker by others
    parker bed;               // where the OS thread sleeps
    offer_line offers;        // offers that others make while it looks for work

    // The bound fiber of a guest is ready. release by the waker, acquire by the scheduling loop.
    alignas(base::cache_line) std::atomic<bool> own_ready{false};
    // A stream that no other OS thread may carry, and whether it waits to be carried. release by
    // the waker, acquire by the scheduling loop. Only the OS thread writes `pinned`.
    std::atomic<bool> pinned_ready{false};
    bool pinned_turn = false;
    base::work* pinned = nullptr;
    // The CPU on which the OS thread last saw itself (spin.hpp); else one of the two values below.
    // relaxed: a hint.
    std::atomic<int> cpu{no_cpu};
    // It has, or has had, an OS thread. A worker without, because the system refused the thread,
    // stays in the table and never looks at its mail. Relaxed: set once.
    std::atomic<bool> had_thread{false};
    static constexpr int no_cpu = -1;  // needs no CPU, as far as the crew knows
    // the thread is starting, perhaps on the CPU of a thread that waits for it.
    static constexpr int unknown_cpu = -2;
    // The CPU-time clock of the OS thread, for the monitor; 0 before the thread runs and after it
    // has ended, when the kernel reuses its number.
    std::atomic<int> cpu_clock{0};
    void* signal_stack = nullptr;  // made for the OS thread (fiber/overflow.hpp); its own
    // Reserves: fibers that it carried go back to the crew's own threads when they are next made
    // ready.
    std::atomic<bool> retiring{false};
    // Whether the owner is in the crew's idle set (spinning or asleep). The thread that takes it
    // out clears this.
    std::atomic<bool> idle{false};

    // Guests and reserves: the thread has ended, and no new one has the slot. Threads that post to
    // it take the mail out again (post).
    std::atomic<bool> vacant{false};

    // Reserves: it was added for a light thread that others spin on, and carries one. Then it takes
    // no others, or the spinning would begin again.
    std::atomic<bool> dedicated{false};
    std::atomic<bool> occupied{false};

    // Reserves: started or woken by the monitor, and still waiting for a CPU (crew::has_arrived).
    std::atomic<bool> arriving{false};

    // Reserves: the OS thread is to end when it has nothing to do. Set by the thread that takes it
    // out of the list of resting ones for that, cleared by the owner. relaxed: the owner reads it
    // when it has found itself out of the list, under the list's lock.
    std::atomic<bool> to_end{false};

    // Reserves: the owner rests, or has been woken and has not looked at its mail since.
    std::atomic<bool> resting{false};

    // The number of work items promised to run concurrently (tickets of nested teams) that this
    // worker has queued, less those that it has taken. The sum over all workers is how many are
    // queued, where the monitor cannot tell them from ordinary tasks. Only the owner writes it: a
    // counter for the whole crew would be a cache line that all workers write in every nested
    // region. relaxed: a hint for the monitor.
    std::atomic<int> concurrent_queued{0};
    void count_concurrent(int change) noexcept
    {
        // relaxed, both: see concurrent_queued.
        concurrent_queued.store(concurrent_queued.load(std::memory_order_relaxed) + change,
                                std::memory_order_relaxed);
    }

    // The state of `tasks` when a thief last looked (crew::owner_at_work, too_young), and since
    // when, in base::cycles(). In a cache line of their own, so that the owner is not disturbed.
    // relaxed: hints.
    alignas(base::cache_line) std::atomic<std::uint64_t> seen_movement{0};
    std::atomic<std::uint64_t> seen_since{0};

    // Whether the mail is better left to the owner, which has nothing else to do. Its light threads
    // may need this OS thread: members that spin on each other, if one thief gathered them while
    // their own threads wait for a CPU, would wait for the monitor once more.
    bool takes_mail_soon() const noexcept
    {
        // relaxed, both: hints; a post wakes the owner in any case.
        return idle.load(std::memory_order_relaxed) || resting.load(std::memory_order_relaxed);
    }

    std::uint64_t next_random() noexcept
    {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return random;
    }

    // Whether this worker could do something instead of spinning. An estimate from its own queues
    // only; cheap (own cache lines).
    bool has_work() const noexcept
    {
        // relaxed: an estimate; code that acts on it uses the queues' own orders.
        return !mail.empty() || !ready.empty() || own_ready.load(std::memory_order_relaxed) ||
               pinned_ready.load(std::memory_order_relaxed) || !tasks.empty();
    }
};

inline worker& as_worker(fiber::carrier& c) noexcept
{
    return static_cast<worker&>(c);
}

// Whether `w` may carry personas now. They run foreign code, which may spin until the guest's own
// bound fiber has done something; that can run only on this OS thread. So a guest carries personas
// only while its bound fiber sleeps on a word that has not changed yet. For the OS thread of `w`.
inline bool may_carry(const worker& w) noexcept
{
    // acquire: pairs with the release that changes the word, after which the bound fiber is or will
    // soon be ready.
    return w.kind != role::guest ||
           (w.asleep_on != nullptr &&
            w.asleep_on->load(std::memory_order_acquire) == w.asleep_value);
}

// Whether the caller is a persona on a guest's OS thread. Then it should not spin, and give way
// when the bound fiber is ready.
inline bool is_carried_by_guest(const worker& w) noexcept
{
    return w.kind == role::guest && w.current != &w.base;
}

// Whether `w` only carries the light thread that it was added for.
inline bool keeps_to_its_own(const worker& w) noexcept
{
    // relaxed, both: `occupied` is the owner's own; `dedicated` may be seen late.
    return w.dedicated.load(std::memory_order_relaxed) &&
           w.occupied.load(std::memory_order_relaxed);
}

// The worker that carries the caller; nullptr on an OS thread unknown to the crew. Not to be kept
// across a switch.
inline worker* this_worker() noexcept
{
    return static_cast<worker*>(fiber::this_tls().current_carrier);
}

}  // namespace artel::sched
