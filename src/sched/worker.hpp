// A worker: one OS thread that runs work. Three roles: the crew's own threads (member), threads
// that the crew did not make and that take part while they wait (guest), and threads that the
// progress monitor adds when the others are stuck (reserve). Everything here except the queues, the
// parker and own_ready belongs to the worker itself; others only post, steal and wake.
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

enum class role : std::uint8_t { member, guest, reserve };

struct worker : fiber::carrier {
    worker(crew& owner, unsigned slot, role r, unsigned place) noexcept
        : home(owner), index(slot), seat(place), duty(r), random(slot * 2654435761u + 1)
    {}

    crew& home;
    const unsigned index;  // in the crew's table
    // Where it belongs: the crew's own threads 1 and up, by their number and not by how many
    // external threads came before them. Others: as their index.
    const unsigned seat;
    role duty;
    unsigned shepherd = 0;                // workers with the same number share a NUMA node or L3
    std::uint64_t random;                 // xorshift state for the choice of victims
    fiber::fiber* spare_loops = nullptr;  // suspended scheduling loops, linked by `next`
    // work that a switch found but only a scheduling loop can run.
    base::work* handed = nullptr;
    fiber::fiber base;                     // the OS thread's own stack
    unsigned inside = 0;                   // guests: nesting of guest_scope on their own stack
    std::atomic<bool> taking_part{false};  // guests: between guest_begins and guest_ends
    // Guests: the word that the bound fiber sleeps on until it is no longer `asleep_value`; nullptr
    // when it waits for anything else. See may_carry.
    const std::atomic<std::uint64_t>* asleep_on = nullptr;
    std::uint64_t asleep_value = 0;
    // Guests in a crew of one thread (left_tasks.hpp): how often it has left a task to whoever
    // waits or come to wait for a group; whether it has let a task lie for so long that those it
    // makes next are not left; whether it is to run its oldest task when it next waits for a group.
    // The last two: set by the monitor, taken away by the owner, the last one by either. relaxed:
    // hints.
    base::counter comings;
    std::atomic<bool> relies_on_others{false};
    std::atomic<bool> has_old_task{false};
    // how many looks in a row found a colleague on the same CPU (spin.hpp).
    unsigned shared_looks = 0;
    // base::cycles() when leave_shared_cpu last moved the OS thread.
    std::uint64_t moved = 0;
    // how often a thief's look met one (crew::owner_at_work).
    unsigned looks_at_owner = 0;
    // the last look for tasks met somebody at work on its own (owner_at_work, too_young).
    bool disturbs = false;
    preempted_peer_watch watch;  // for colleagues that lost their CPU
    bool took_offer = false;     // the last thing that idle() returned was an offer
    bool slept = false;          // in the kernel, and has had nothing to do since
    // the affinity that the new thread gives itself when it runs (start_apart).
    std::unique_ptr<cpu_set_t> mask_at_start;
    // For ARTEL_STATS.
    base::counter sweeps;        // over the workers, for something to take
    base::counter visits;        // of other workers in sweeps
    base::counter tasks_taken;   // from others' deques
    base::counter fibers_taken;  // ready fibers and mail of others
    base::counter sleeps;        // in the kernel
    base::counter vain_wakeups;  // from a sleep, for nothing: it found no work before the next one
    base::counter moves;         // to another CPU (leave_shared_cpu)
    // for the kernel to move a colleague to this one's CPU (preempted_peer.hpp).
    base::counter naps;
    base::counter yields;         // of the CPU, to whoever wants it (spin.hpp)
    worker* next_free = nullptr;  // in the crew's lists of resting and of ended reserves

    deque<base::work> tasks;  // fork-join work: the owner takes the youngest, thieves the oldest
    deque<base::work> ready;  // resumed fibers and delivered work: everybody takes the oldest
    inbox mail;               // addressed to this worker by others
    parker bed;               // where the OS thread sleeps
    offer_line offers;        // what others give it while it looks for work

    // The bound fiber of a guest may go on. release by the waker, acquire by the scheduling loop.
    alignas(base::cache_line) std::atomic<bool> own_ready{false};
    // A stream that no other OS thread may carry, and whether it waits to be carried. release by
    // the waker, acquire by the scheduling loop. `pinned` is the OS thread's own.
    std::atomic<bool> pinned_ready{false};
    bool pinned_turn = false;
    base::work* pinned = nullptr;
    // The CPU that the OS thread was last seen on by itself (spin.hpp); else one of the two below.
    // relaxed: a hint by itself.
    std::atomic<int> cpu{no_cpu};
    // Has, or has had, an OS thread. One of whose thread the system refused stays in the table, and
    // never looks at its mail. Relaxed: set once.
    std::atomic<bool> manned{false};
    static constexpr int no_cpu = -1;  // needs none, as far as the crew is concerned
    // the thread is only starting, perhaps on the CPU of whoever waits for it.
    static constexpr int unknown_cpu = -2;
    // The CPU-time clock of the OS thread, for the monitor; 0 until the thread runs, and when it
    // has ended: the kernel gives its number to others.
    std::atomic<int> cpu_clock{0};
    void* signal_stack = nullptr;  // made for the OS thread (fiber/overflow.hpp); its own
    // Reserves: what they carried goes back to the crew's own threads when it is next made ready.
    std::atomic<bool> retiring{false};
    // Whether the owner is in the crew's idle set (spinning or asleep). Changed by whoever takes it
    // out.
    std::atomic<bool> idle{false};

    // Guests and reserves: the thread has ended, and no other one has come to its place. Its mail
    // is looked at by whoever posts there (post).
    std::atomic<bool> vacant{false};

    // Reserves: added for a light thread that others spin on, and carrying one. Then it takes no
    // others, or it would be where we started.
    std::atomic<bool> dedicated{false};
    std::atomic<bool> inhabited{false};

    // Reserves: started or woken by the monitor, and still waiting for a CPU (crew::has_arrived).
    std::atomic<bool> arriving{false};

    // Reserves: the OS thread is to end when it has nothing to do. relaxed: set by the monitor, and
    // taken back by it while the reserve is in the list of those that rest, so before its look.
    std::atomic<bool> to_end{false};
    void stays() noexcept { to_end.store(false, std::memory_order_relaxed); }  // relaxed: as above

    // Reserves: whether the owner rests, or has been woken and has not looked at its mail since.
    std::atomic<bool> resting{false};

    // How many works that were promised to run concurrently (tickets of nested teams) this worker
    // has queued, less those that it has taken: the sum over all workers is how many wait in the
    // deques, where the monitor cannot tell them from ordinary tasks. Written by the owner only: a
    // counter for the whole crew would be one cache line that all workers write in every nested
    // region. relaxed: a hint for the monitor.
    std::atomic<int> concurrent_queued{0};
    void count_concurrent(int change) noexcept
    {
        // relaxed, both: see concurrent_queued.
        concurrent_queued.store(concurrent_queued.load(std::memory_order_relaxed) + change,
                                std::memory_order_relaxed);
    }

    // How `tasks` stood when a thief last looked (crew::owner_at_work, too_young), and since when,
    // in base::cycles(). In a line of their own: the owner is not to notice. relaxed: hints.
    alignas(base::cache_line) std::atomic<std::uint64_t> seen_movement{0};
    std::atomic<std::uint64_t> seen_since{0};

    // Is the mail better left to the owner? It has nothing else to do, and who lives there may need
    // this OS thread: members that spin on each other, gathered by one thief while their own
    // threads wait for a CPU, would wait for the monitor once more.
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

    // Is there something that this worker could do instead of spinning? A guess from own queues
    // only; cheap (own cache lines).
    bool has_work() const noexcept
    {
        // relaxed: a guess; whoever acts on it takes the queues' own orders.
        return !mail.empty() || !ready.empty() || own_ready.load(std::memory_order_relaxed) ||
               pinned_ready.load(std::memory_order_relaxed) || !tasks.empty();
    }
};

inline worker& as_worker(fiber::carrier& c) noexcept
{
    return static_cast<worker&>(c);
}

// May `w` carry personas now? They run foreign code, which may spin until the guest's own bound
// fiber has done something, and that can run on this OS thread only: so a guest carries them only
// while its bound fiber sleeps on a word that nobody has changed yet. For the OS thread of `w`.
inline bool may_carry(const worker& w) noexcept
{
    // acquire: pairs with the release of whoever changes the word; afterwards the bound fiber is
    // ready or about to be.
    return w.duty != role::guest ||
           (w.asleep_on != nullptr &&
            w.asleep_on->load(std::memory_order_acquire) == w.asleep_value);
}

// Is the caller a persona on a guest's OS thread? Then it should not spin there, and give way when
// the bound fiber is ready.
inline bool is_lodger(const worker& w) noexcept
{
    return w.duty == role::guest && w.current != &w.base;
}

// Does `w` keep to the light thread that it was added for?
inline bool keeps_to_its_own(const worker& w) noexcept
{
    // relaxed, both: `inhabited` is the owner's own, `dedicated` and its end are in time whenever
    // they are seen.
    return w.dedicated.load(std::memory_order_relaxed) &&
           w.inhabited.load(std::memory_order_relaxed);
}

// The worker that executes the caller; nullptr on an OS thread unknown to the crew. Not to be kept
// across a switch.
inline worker* this_worker() noexcept
{
    return static_cast<worker*>(fiber::this_tls().current_carrier);
}

}  // namespace artel::sched
