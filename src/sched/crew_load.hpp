// How much the crew has to do: how many of its threads are busy, idle or could still be made, and
// what follows for whoever thinks of handing work over or of spinning. Mostly guesses; what may not
// miss anything fences (README).
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
    // How many OS threads should be busy at a time: ARTEL_NUM_THREADS or the effective CPUs.
    unsigned width() const noexcept { return width_; }
    // Own threads that can exist beside the participating external threads: width() - 1, at least
    // 1; width() from the second of those on, each of which has a team for itself.
    unsigned member_limit() const noexcept
    {
        // relaxed: rises once and falls, re-checked
        return member_limit_.load(std::memory_order_relaxed);
    }
    // More busy workers than CPUs, because it was asked for or the monitor has added some: spinning
    // steals time from the one that is waited for.
    bool oversubscribed() const noexcept
    {
        // relaxed: read in spin loops, which look again.
        return oversubscribed_ || working_reserves_.load(std::memory_order_relaxed) != 0;
    }
    // Are external threads, outside of everything that the crew knows of, keeping the CPUs busy?
    bool crowded() const noexcept
    {
        // relaxed: read in spin loops, which look again
        return crowded_.load(std::memory_order_relaxed);
    }
    // Whether waiters may give their CPU away, and what it has cost them.
    yield_price& yields() noexcept { return yields_; }
    // Whether the OS thread of `w`, which only waits, may keep a CPU from somebody: more are at
    // work than CPUs, because several external threads have regions or loops of their own. A guess:
    // who is blocked in the kernel counts as well.
    bool one_too_many(const worker& w) const noexcept
    {
        // relaxed: a guess.
        return active() + (w.idle.load(std::memory_order_relaxed) ? 1 : 0) >
               static_cast<int>(width_);
    }
    // How long an idle worker, or a waiting light thread with nothing else to run, spins before it
    // sleeps; in base::cycles().
    std::uint64_t spin_cycles() const noexcept { return spin_cycles_; }

    // Workers in the idle set, asleep or spinning in their scheduling loop. A guess.
    // relaxed: a guess.
    unsigned idle_workers() const noexcept { return free_.idle.load(std::memory_order_relaxed); }

    // Whether all own threads that there can be exist, and none of them is idle or searches for
    // work. A guess, and of a worker that has just become free wrong for some microseconds.
    bool all_busy() const noexcept
    {
        // relaxed (all): a guess.
        return free_.none() && member_count_.load(std::memory_order_relaxed) >=
                                   member_limit_.load(std::memory_order_relaxed);
    }

    // For who looks often; as long as the crew lives, that is for good.
    const detail::free_workers& free() const noexcept { return free_; }

    // Whether, with more workers than CPUs, so many have something to do that others would only
    // take their time on a CPU. A guess: who is blocked in the kernel counts as well.
    bool cpus_busy() const noexcept
    {
        return oversubscribed_ && static_cast<int>(at_work()) >= cpus_;
    }

    // Whether others than those who have something to do could only come at somebody's expense, or
    // not at all. A guess.
    bool nobody_to_spare() const noexcept { return all_busy() || cpus_busy(); }

    // Whether a task that is pushed now is taken by the next own thread that has nothing to do: so
    // many are present that it will be woken for it, or not be one too many when it looks. A guess.
    bool tasks_are_wanted() const noexcept
    {
        const int free = static_cast<int>(width_) - active();
        // relaxed: a guess.
        return free > 0 || (free == 0 && free_.idle.load(std::memory_order_relaxed) == 0);
    }

    // How many of its threads, external ones inside a scope among them, have something to do other
    // than looking for work. A guess.
    unsigned at_work() const noexcept
    {
        // relaxed: a guess.
        const int working = active() -
                            static_cast<int>(free_.searching.load(std::memory_order_relaxed));
        return working > 0 ? static_cast<unsigned>(working) : 0;
    }

    // Own threads that exist now, reserves not counted.
    unsigned member_count() const noexcept
    {
        // acquire: pairs with member()
        return member_count_.load(std::memory_order_acquire);
    }

protected:
    crew_load() = default;
    crew_load(unsigned width, unsigned member_limit, std::uint64_t spin_cycles) noexcept
        : width_(width), member_limit_(member_limit), spin_cycles_(spin_cycles)
    {}

    // Workers that are present and not in the idle set: own ones that have something to do or
    // search, and guests inside a scope. Neither word is written by both a guest that comes and a
    // worker that leaves the idle set, which would meet at the start of every loop.
    int active() const noexcept
    {
        // relaxed (two): callers order, and each of the terms by itself (README, held back).
        return present_.load(std::memory_order_relaxed) -
               static_cast<int>(free_.idle.load(std::memory_order_relaxed));
    }

    unsigned width_ = 1;
    std::atomic<unsigned> member_limit_{1};
    bool oversubscribed_ = false;
    int cpus_ = 1;  // that can be used
    std::uint64_t spin_cycles_ = 0;
    std::atomic<unsigned> member_count_{0};
    std::atomic<unsigned> working_reserves_{0};  // reserves that do not rest

    alignas(base::cache_line) detail::free_workers free_;
    // here, because workers that leave the idle set have this cache line.
    std::atomic<std::uint32_t> monitor_sleeps_{0};
    // Tasks may have been left to whoever waits (left_tasks.hpp).
    std::atomic<bool> tasks_left_{false};
    // members that have been started, and guests inside a scope.
    alignas(base::cache_line) std::atomic<int> present_{0};
    // a notify was not acted on because enough threads were active.
    std::atomic<bool> held_back_{false};
    std::atomic<bool> crowded_{false};  // written by the monitor
    yield_price yields_{base::cycles_per_microsecond()};
};

}  // namespace artel::sched
