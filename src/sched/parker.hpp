// Where one OS thread sleeps, and the two ways to wake it.
// - unpark() leaves a token: the next or present sleep ends at once. For wakers that have nothing
//   else to leave.
// - wake_if_parked() is for wakers that left something which the owner looks at between prepare()
//   and commit(), such as a post in its inbox. One load while the owner is awake. The waker calls
//   base::full_fence(), or did a locked read-modify-write, between the post and this call.
//
// Owner: prepare(); look at everything once more; then commit() or cancel(). The full argument is
// in sched/README.md.
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
            // acquire: a token set meanwhile is taken too, and its cause is seen by the look that
            // the caller takes now.
            state_.exchange(empty, std::memory_order_acquire);
            return false;
        }
        base::full_fence();  // for targets whose seq_cst exchange is not a full fence
        return true;
    }

    // Sleeps until woken.
    void commit() noexcept
    {
        // acquire: pairs with the release in unpark and wake_if_parked.
        while (state_.load(std::memory_order_acquire) == parked) {
            base::os::futex_wait(state_, parked);
        }
        state_.exchange(empty, std::memory_order_acquire);  // acquire: as in prepare
    }

    // The same for at most so many microseconds. Whether it was woken, or would have been.
    bool commit_for(std::uint64_t microseconds) noexcept
    {
        // acquire (two): as in commit.
        if (state_.load(std::memory_order_acquire) == parked) {
            base::os::futex_wait_for(state_, parked, microseconds);
        }
        return state_.exchange(empty, std::memory_order_acquire) != parked;
    }

    // The look found something: do not sleep. A token left meanwhile is consumed; its cause is in
    // sight.
    void cancel() noexcept
    {
        // acquire: pairs with the release in unpark.
        state_.exchange(empty, std::memory_order_acquire);
    }

    // Consumes a token if there is one; for owners that spin.
    bool try_consume() noexcept
    {
        // relaxed: a look; the exchange orders.
        if (state_.load(std::memory_order_relaxed) != token) {
            return false;
        }
        // acquire: pairs with the release in unpark.
        state_.exchange(empty, std::memory_order_acquire);
        return true;
    }

    void unpark() noexcept
    {
        // release: what the waker did before is seen after the sleep. acq_rel because the read
        // decides about the system call.
        if (state_.exchange(token, std::memory_order_acq_rel) == parked) {
            base::os::futex_wake(state_, 1);
        }
    }

    // Returns whether a sleeper was woken (a system call).
    bool wake_if_parked() noexcept
    {
        // relaxed: ordered after the caller's post by its full fence; pairs with prepare.
        if (state_.load(std::memory_order_relaxed) != parked) {
            return false;
        }
        std::uint32_t expected = parked;
        // release: pairs with commit. relaxed on failure: somebody else woke it.
        if (!state_.compare_exchange_strong(expected, empty, std::memory_order_release,
                                            std::memory_order_relaxed)) {
            return false;
        }
        base::os::futex_wake(state_, 1);
        return true;
    }

    // Whether the owner sleeps or is about to. A guess.
    // relaxed: a guess by contract.
    bool is_parked() const noexcept { return state_.load(std::memory_order_relaxed) == parked; }

private:
    static constexpr std::uint32_t empty = 0;
    static constexpr std::uint32_t token = 1;
    static constexpr std::uint32_t parked = 2;
    alignas(base::cache_line) std::atomic<std::uint32_t> state_{empty};
};

}  // namespace artel::sched
