// The load of the crew: how many of its threads are busy, idle or could still be made, for code
// that decides about handing work over or spinning. Mostly estimates; code that must not miss
// anything fences (PROTOCOLS.md).
#pragma once

#include "base/cpu.hpp"
#include "sched/worker.hpp"
#include "sched/yield_price.hpp"

#include <artel/detail/free_workers.hpp>
#include <atomic>
#include <cstdint>

namespace artel::sched {

class crew_load {
public:
    // The number of OS threads that should be busy: ARTEL_NUM_THREADS or the effective CPUs.
    unsigned width() const noexcept { return width_; }
    // Own threads that can exist beside the participating external threads: width() - 1, at least
    // 1; width() as soon as there are two of those, each of which has a team of its own.
    unsigned own_worker_limit() const noexcept
    {
        // relaxed: rises once and falls, re-checked
        return own_worker_limit_.load(std::memory_order_relaxed);
    }
    // More busy workers than CPUs, because the user asked for it or the monitor has added some:
    // spinning steals time from the awaited thread.
    bool oversubscribed() const noexcept
    {
        // relaxed: read in spin loops, which look again.
        return oversubscribed_ || working_reserves_.load(std::memory_order_relaxed) != 0;
    }
    // Whether external threads keep the CPUs busy outside of anything that the crew knows of.
    bool crowded() const noexcept
    {
        // relaxed: read in spin loops, which look again
        return crowded_.load(std::memory_order_relaxed);
    }
    // Whether waiters may yield their CPU, and what yields have cost.
    yield_price& yields() noexcept { return yields_; }
    // Whether the waiting OS thread of `w` may keep a CPU from another: more threads are active
    // than there are CPUs, because several external threads have regions or loops of their own. An
    // estimate: threads blocked in the kernel count as well.
    bool one_too_many(const worker& w) const noexcept
    {
        // relaxed: an estimate.
        return active() + (w.idle.load(std::memory_order_relaxed) ? 1 : 0) >
               static_cast<int>(width_);
    }
    // How long an idle worker, or a waiting light thread on a worker without other work, spins
    // before it sleeps; in base::cycles().
    std::uint64_t spin_cycles() const noexcept { return spin_cycles_; }

    // Workers in the idle set, asleep or spinning in their scheduling loop. relaxed: an estimate.
    unsigned idle_workers() const noexcept { return free_.idle.load(std::memory_order_relaxed); }

    // Whether all possible own threads exist, and none of them is idle or searches for work. An
    // estimate; wrong for some microseconds about a worker that has just become free.
    bool all_busy() const noexcept
    {
        // relaxed (all): an estimate.
        return free_.none() && own_worker_count_.load(std::memory_order_relaxed) >=
                                   own_worker_limit_.load(std::memory_order_relaxed);
    }

    // For code that looks often; valid as long as the crew exists.
    const detail::free_workers& free() const noexcept { return free_; }

    // Whether, with more workers than CPUs, as many are at work as there are CPUs, so that others
    // would only take their time. An estimate: threads blocked in the kernel count as well.
    bool cpus_busy() const noexcept
    {
        return oversubscribed_ && static_cast<int>(at_work()) >= cpus_;
    }

    // Whether further workers could only come at the expense of those at work, or not at all. An
    // estimate.
    bool nobody_to_spare() const noexcept { return all_busy() || cpus_busy(); }

    // Whether a task that is pushed now would be taken by the next own thread that becomes free,
    // because it is woken for the task or is not surplus when it looks. An estimate.
    bool tasks_are_wanted() const noexcept
    {
        const int free = static_cast<int>(width_) - active();
        // relaxed: an estimate.
        return free > 0 || (free == 0 && free_.idle.load(std::memory_order_relaxed) == 0);
    }

    // The number of threads that do something other than looking for work, external ones inside a
    // scope included. An estimate.
    unsigned at_work() const noexcept
    {
        // relaxed: an estimate.
        const int working = active() -
                            static_cast<int>(free_.searching.load(std::memory_order_relaxed));
        return working > 0 ? static_cast<unsigned>(working) : 0;
    }

    // Own threads that exist now, reserves not counted.
    unsigned own_worker_count() const noexcept
    {
        // acquire: pairs with own_worker()
        return own_worker_count_.load(std::memory_order_acquire);
    }

protected:
    crew_load() = default;

    // Workers that are present and not in the idle set: own ones that work or search, and guests
    // inside a scope. Two words, so that a guest that comes and a worker that leaves the idle set,
    // which meet at the start of every loop, do not write the same one.
    int active() const noexcept
    {
        // relaxed (two): callers order, and each of the terms by itself (PROTOCOLS.md, held back).
        return present_.load(std::memory_order_relaxed) -
               static_cast<int>(free_.idle.load(std::memory_order_relaxed));
    }

    unsigned width_ = 1;
    std::atomic<unsigned> own_worker_limit_{1};
    bool oversubscribed_ = false;
    int cpus_ = 1;  // usable CPUs
    std::uint64_t spin_cycles_ = 0;
    std::atomic<unsigned> own_worker_count_{0};
    std::atomic<unsigned> working_reserves_{0};  // reserves that do not rest

    alignas(base::cache_line) detail::free_workers free_;
    // here, because a worker that leaves the idle set has this cache line.
    std::atomic<std::uint32_t> monitor_sleeps_{0};
    // There may be tasks left to waiting threads (left_tasks.hpp).
    std::atomic<bool> tasks_left_{false};
    // own workers that have been started, and guests inside a scope.
    alignas(base::cache_line) std::atomic<int> present_{0};
    // a notify woke nobody because enough threads were active.
    std::atomic<bool> held_back_{false};
    std::atomic<bool> crowded_{false};  // written by the monitor
    yield_price yields_{base::cycles_per_microsecond()};
};

}  // namespace artel::sched
