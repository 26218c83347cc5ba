// A sinc: gathers what many submit, and lets waiters go on when all that was expected has come.
// Unlike a latch it may be told to expect more at any time, and it reduces the values.
#pragma once

#include <algorithm>
#include <array>
#include <artel/detail/feb_line.hpp>
#include <artel/detail/wait_word.hpp>
#include <concepts>
#include <cstddef>
#include <functional>
#include <utility>

namespace artel {

// Counts only. Any context may submit or wait; who waits is suspended.
class sinc {
public:
    // Waiters go on after `expected` submissions; at once for none.
    explicit sinc(std::ptrdiff_t expected = 0) noexcept
        : left_(static_cast<std::uint32_t>(expected))
    {}
    sinc(const sinc&) = delete;
    sinc& operator=(const sinc&) = delete;

    // `count` more submissions are needed. By whoever knows that the sinc cannot be complete before
    // it returns: a submission of its own is missing, or nobody waits yet. Does not switch.
    void expect(std::ptrdiff_t count = 1) noexcept
    {
        // relaxed: a submission of the caller's, which is still to come, orders it for the waiters.
        left_.fetch_add(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
    }

    // The last submission lets the waiters go on; they may destroy the sinc then. Does not switch.
    void submit(std::ptrdiff_t count = 1) noexcept
    {
        const auto by = static_cast<std::uint32_t>(count);
        // release: what the submitter did is seen by the waiters. acquire: so that those of all are
        // behind the last one's.
        if (left_.fetch_sub(by, std::memory_order_acq_rel) == by) {
            detail::wake_word(left_, detail::wake_all);
        }
    }

    // Returns when all that is expected has been submitted. May switch.
    void wait() const noexcept
    {
        // acquire: pairs with the submissions.
        for (std::uint32_t n; (n = left_.load(std::memory_order_acquire)) != 0;) {
            detail::wait_word(left_, n);
        }
    }

    // acquire: as in wait().
    bool is_complete() const noexcept { return left_.load(std::memory_order_acquire) == 0; }

    // For the next use: nobody waits or submits.
    void reset(std::ptrdiff_t expected) noexcept
    {
        // relaxed: whoever lets others know of the next use publishes it.
        left_.store(static_cast<std::uint32_t>(expected), std::memory_order_relaxed);
    }

private:
    mutable detail::word left_;
};

// Reduces the submitted values, beginning with `initial`, by `operation`, which must be associative
// and commutative; in no particular order. Few submitters meet in one of the partial results.
template <class T, class Operation = std::plus<T>>
class reducing_sinc {
public:
    explicit reducing_sinc(std::ptrdiff_t expected, T initial = T(),
                           Operation operation = Operation())
        : initial_(std::move(initial)), operation_(std::move(operation)), count_(expected)
    {}

    void expect(std::ptrdiff_t count = 1) noexcept { count_.expect(count); }  // as sinc::expect

    // As sinc::submit. What `operation` throws ends the program. It must not wait: others may spin
    // until it is through.
    void submit(T value) noexcept
    {
        partial& p = partials_[detail::feb_caller() % partials_.size()];
        for (unsigned round = 0;
             // acquire: pairs with the release below: the others' values.
             p.locked.exchange(true, std::memory_order_acquire);) {
            detail::feb_spin(round);
        }
        p.value = p.any ? operation_(std::move(p.value), std::move(value)) : std::move(value);
        p.any = true;
        p.locked.store(false, std::memory_order_release);  // release: pairs with the exchange above
        count_.submit();
    }

    // The result, when all that is expected has been submitted. May switch. By one waiter, or by
    // several for a T that can be copied: every one gets the whole.
    T wait()
    {
        count_.wait();
        if constexpr (std::copy_constructible<T>) {
            T result = initial_;
            for (const partial& p : partials_) {
                if (p.any) {
                    result = operation_(std::move(result), p.value);
                }
            }
            return result;
        } else {
            T result = std::move(initial_);
            for (partial& p : partials_) {
                if (p.any) {
                    result = operation_(std::move(result), std::move(p.value));
                }
            }
            return result;
        }
    }

    bool is_complete() const noexcept { return count_.is_complete(); }

    // For the next use: nobody waits or submits.
    void reset(std::ptrdiff_t expected)
    {
        for (partial& p : partials_) {
            p.any = false;
        }
        count_.reset(expected);
    }

private:
    struct alignas(std::max<std::size_t>(128, alignof(T))) partial {
        std::atomic<bool> locked{false};
        bool any = false;
        T value{};
    };
    T initial_;
    Operation operation_;
    std::array<partial, 8> partials_{};
    sinc count_;
};

}  // namespace artel
