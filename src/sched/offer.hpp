// The fastest way to give work to a worker: a thread that wants help writes one word into the cache
// line that an idle worker polls. That line moves once and the work has begun; an inbox costs five
// lines (its head, the item, the idle flag, two counters).
//
// - closed -> open -> full -> closed: the worker opens, an offerer fills, the worker takes.
// - open -> closed: the worker has found something else.
// - full -> open: the offerer withdraws the offer, because the worker has not come.
//
// Only the worker opens and takes. One word says that there is an offer and what it is: filled in
// two steps, the line would move twice, because the polling worker would take it away in between.
// An offer can be withdrawn, so no thread has to wait for a worker that has lost its CPU.
//
// Sleeping: an offerer makes a full fence after the offer and then wakes the worker if it is
// parked; the worker checks the line after it has announced that it parks (parker.hpp). So either
// the worker sees the offer or the offerer sees it parked.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"

#include <atomic>
#include <cstdint>

namespace artel::sched {

class alignas(base::cache_line) offer_line {
public:
    static constexpr unsigned largest_argument = 0xffff;

    // --- the worker ------------------------------------------------------------------------------
    // From now on offers may come.
    void open() noexcept
    {
        // release: pairs with make(): we have finished with the last offer
        word_.store(opened, std::memory_order_release);
    }

    // Whether there is something in the line.
    bool waits() const noexcept
    {
        // the poller takes next, so the line moves once.
        base::prefetch_for_writing(this);
        return word_.load(std::memory_order_relaxed) > opened;  // relaxed: a hint; take() orders
    }

    // Takes the offer: work to be run now, with argument(). nullptr when it has been withdrawn;
    // then the line is open.
    base::work* take() noexcept
    {
        // relaxed: a hint; the CAS orders.
        std::uint64_t now = word_.load(std::memory_order_relaxed);
        while (now != opened) {
            // acquire: pairs with the release in make(). relaxed on failure: looked at again.
            if (word_.compare_exchange_strong(now, closed, std::memory_order_acquire,
                                              std::memory_order_relaxed)) {
                argument_ = static_cast<unsigned>(now >> argument_shift);
                return reinterpret_cast<base::work*>(now & address);
            }
        }
        return nullptr;
    }

    // The argument of the offer taken last; for the offered work, until the worker looks for work
    // again.
    unsigned argument() const noexcept { return argument_; }

    // Closes the line, because the worker has something else to do. False when an offer was faster:
    // it must be taken.
    bool close() noexcept
    {
        std::uint64_t expected = opened;
        // relaxed: nothing comes with an open line, and take() follows on failure.
        return word_.compare_exchange_strong(expected, closed, std::memory_order_relaxed);
    }

    // --- a thread that wants help ---------------------------------------------------------------
    // Makes an offer if the worker looks for work; false otherwise. `argument` is at most
    // largest_argument. The work must exist until it has been taken or withdrawn.
    bool make(base::work& work, unsigned argument) noexcept
    {
        std::uint64_t expected = opened;
        // release: pairs with take(): the work is seen as its maker left it. acquire: pairs with
        // open(). relaxed on failure: no offer.
        return word_.compare_exchange_strong(expected, pack(work, argument),
                                             std::memory_order_acq_rel, std::memory_order_relaxed);
    }

    // Prefetches the line for a later make().
    void prepare() const noexcept { base::prefetch_for_writing(this); }

    // Whether the worker looks for work. relaxed: an estimate.
    bool is_open() const noexcept { return word_.load(std::memory_order_relaxed) == opened; }

    // Whether the line still holds an offer of this work. An estimate.
    bool holds(const base::work& work) const noexcept
    {
        // relaxed: an estimate.
        const std::uint64_t now = word_.load(std::memory_order_relaxed);
        return now > opened && (now & address) == reinterpret_cast<std::uintptr_t>(&work);
    }

    // Withdraws an offer of this work, and returns its argument. False when it is no longer there.
    bool withdraw(const base::work& work, unsigned& argument) noexcept
    {
        // relaxed: a hint; the CAS decides.
        std::uint64_t now = word_.load(std::memory_order_relaxed);
        if (now <= opened || (now & address) != reinterpret_cast<std::uintptr_t>(&work)) {
            return false;
        }
        // acquire: pairs with the release in make(), which may have been another's. relaxed on
        // failure: it is gone.
        if (!word_.compare_exchange_strong(now, opened, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
            return false;
        }
        argument = static_cast<unsigned>(now >> argument_shift);
        return true;
    }

private:
    static constexpr std::uint64_t closed = 0;
    static constexpr std::uint64_t opened = 1;
    // A full line: the address of the work, which is larger than both values above, and its
    // argument in the upper bits. User addresses have 47 bits on x86-64, and 48 elsewhere.
    static constexpr unsigned argument_shift = 48;
    static constexpr std::uint64_t address = (std::uint64_t{1} << argument_shift) - 1;

    static std::uint64_t pack(base::work& work, unsigned argument) noexcept
    {
        return reinterpret_cast<std::uintptr_t>(&work) | static_cast<std::uint64_t>(argument)
                                                             << argument_shift;
    }

    std::atomic<std::uint64_t> word_{closed};
    unsigned argument_ = 0;
};

}  // namespace artel::sched
