// The sleep of one OS thread, and the two ways to wake it.
// - unpark() leaves a token: the next or present sleep ends at once. For wakers that leave nothing
//   else.
// - wake_if_parked() is for wakers that left something that the owner checks between prepare() and
//   commit(), such as a post in its inbox. One load while the owner is awake. Between the post and
//   this call the waker makes a full fence (base::full_fence() or a locked read-modify-write). An
//   owner that sleeps may be sent away: then its OS thread ends. A thread that wakes it afterwards,
//   in either way, starts a new OS thread for it (departure.cpp).
//
// Owner: prepare(); check everything once more; then commit() or cancel(). The full argument is in
// PROTOCOLS.md.
#pragma once

#include "base/cpu.hpp"
#include "base/os/futex.hpp"

#include <atomic>
#include <cstdint>

namespace artel::sched {

class parker {
public:
    // Announces the sleep. Returns false, having consumed it, when a token was there: do not sleep.
    bool prepare() noexcept
    {
        // seq_cst (a locked exchange, a full fence on x86): store-buffering pair with the wakers'
        // post and load in wake_if_parked: either they see `parked` or we see their post in the
        // look that follows. acquire part: pairs with unpark's release.
        if (state_.exchange(parked, std::memory_order_seq_cst) == token) {
            // acquire: a token set meanwhile is taken too, and the caller's following check sees
            // its cause.
            state_.exchange(empty, std::memory_order_acquire);
            return false;
        }
        base::full_fence();  // for targets whose seq_cst exchange is not a full fence
        return true;
    }

    // Sleeps until woken. False when the owner was sent away: its OS thread calls go_away() before
    // it ends, or cancel() to stay.
    bool commit() noexcept
    {
        // acquire: pairs with the release in unpark and wake_if_parked.
        std::uint32_t now = state_.load(std::memory_order_acquire);
        for (; now == parked; now = state_.load(std::memory_order_acquire)) {
            base::os::futex_wait(state_, parked);
        }
        if (now == leaving) [[unlikely]] {
            return false;
        }
        state_.exchange(empty, std::memory_order_acquire);  // acquire: as in prepare
        return true;
    }

    // By an owner that was sent away, as the last access of its OS thread. False when it was woken
    // meanwhile, and has to continue.
    bool go_away() noexcept
    {
        std::uint32_t expected = leaving;
        // release: pairs with the acquire of the waker that has a new thread started. relaxed on
        // failure: the exchange orders.
        if (state_.compare_exchange_strong(expected, away, std::memory_order_release,
                                           std::memory_order_relaxed)) {
            return true;
        }
        state_.exchange(empty, std::memory_order_acquire);  // acquire: as in prepare
        return false;
    }

    // The same for at most `microseconds`. Returns whether it was woken, or would have been.
    bool commit_for(std::uint64_t microseconds) noexcept
    {
        // acquire (two): as in commit.
        if (state_.load(std::memory_order_acquire) == parked) {
            base::os::futex_wait_for(state_, parked, microseconds);
        }
        return state_.exchange(empty, std::memory_order_acquire) != parked;
    }

    // The check found something: do not sleep. A token left meanwhile is consumed; its cause is
    // visible.
    void cancel() noexcept
    {
        // acquire: pairs with the release in unpark.
        state_.exchange(empty, std::memory_order_acquire);
    }

    // Consumes a token if there is one; for owners that spin.
    bool try_consume() noexcept
    {
        // relaxed: a check; the exchange orders.
        if (state_.load(std::memory_order_relaxed) != token) {
            return false;
        }
        // acquire: pairs with the release in unpark.
        state_.exchange(empty, std::memory_order_acquire);
        return true;
    }

    void unpark() noexcept
    {
        // release: what the waker did before is seen after the sleep. acq_rel because the value
        // read decides about the system call. acquire also pairs with go_away.
        const std::uint32_t before = state_.exchange(token, std::memory_order_acq_rel);
        if (before == parked) {
            base::os::futex_wake(state_, 1);
        } else if (before == away) [[unlikely]] {
            restart(*this);
        }
    }

    // Returns whether a sleeper was woken (a system call).
    bool wake_if_parked() noexcept
    {
        // relaxed: ordered after the caller's post by its full fence; pairs with prepare.
        std::uint32_t now = state_.load(std::memory_order_relaxed);
        do {
            if (now < parked) {
                return false;
            }
            // release: pairs with commit. acquire: pairs with go_away. relaxed on failure: another
            // thread woke it, or it goes away.
        } while (!state_.compare_exchange_strong(now, empty, std::memory_order_acq_rel,
                                                 std::memory_order_relaxed));
        if (now == away) [[unlikely]] {
            restart(*this);
        } else {
            base::os::futex_wake(state_, 1);
        }
        return true;
    }

    // Whether the owner sleeps, is about to, or is away. An estimate. relaxed: an estimate by
    // contract.
    bool is_parked() const noexcept { return state_.load(std::memory_order_relaxed) >= parked; }

    // Sends an owner away that sleeps. Any thread.
    void send_away() noexcept
    {
        std::uint32_t expected = parked;
        // relaxed, both: nothing is published.
        if (state_.compare_exchange_strong(expected, leaving, std::memory_order_relaxed,
                                           std::memory_order_relaxed)) {
            base::os::futex_wake(state_, 1);
        }
    }
    // relaxed: a hint.
    bool is_away() const noexcept { return state_.load(std::memory_order_relaxed) == away; }

    // Starts a thread for an owner that is away. Set when the first crew is made.
    static inline void (*restart)(parker& whose) noexcept = nullptr;

private:
    static constexpr std::uint32_t empty = 0;
    static constexpr std::uint32_t token = 1;
    static constexpr std::uint32_t parked = 2;
    static constexpr std::uint32_t leaving = 3;
    static constexpr std::uint32_t away = 4;
    alignas(base::cache_line) std::atomic<std::uint32_t> state_{empty};
};

}  // namespace artel::sched
