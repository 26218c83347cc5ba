// A sinc: gathers submissions, and wakes its waiters when all that were expected have come. Unlike
// a latch it may be told to expect more at any time, and it reduces the submitted values.
#pragma once

#include <algorithm>
#include <array>
#include <artel/detail/feb_line.hpp>
#include <artel/detail/join_into.hpp>
#include <artel/detail/wait_word.hpp>
#include <concepts>
#include <cstddef>
#include <functional>
#include <utility>

namespace artel {

// Counts only. Any context may submit or wait; a waiter is suspended.
class sinc {
public:
    // Waiters continue after `expected` submissions; at once for 0.
    explicit sinc(std::ptrdiff_t expected = 0) noexcept
        : left_(static_cast<std::uint32_t>(expected))
    {}
    sinc(const sinc&) = delete;
    sinc& operator=(const sinc&) = delete;

    // Adds `count` expected submissions. The caller must know that the sinc cannot be complete
    // before this returns: its own submission is still missing, or there are no waiters yet. Does
    // not switch.
    void expect(std::ptrdiff_t count = 1) noexcept
    {
        // relaxed: the caller's own submission, which is still to come, orders it for the waiters.
        left_.fetch_add(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
    }

    // The last submission wakes the waiters, which may then destroy the sinc. Does not switch.
    void submit(std::ptrdiff_t count = 1) noexcept
    {
        const auto by = static_cast<std::uint32_t>(count);
        // release: the waiters see what the submitter did. acquire: so that the last submission
        // also passes on the others.
        if (left_.fetch_sub(by, std::memory_order_acq_rel) == by) {
            detail::wake_word(left_, detail::wake_all);
        }
    }

    // Waits until all expected submissions have been made. May switch.
    void wait() const noexcept
    {
        // acquire: pairs with the submissions.
        for (std::uint32_t n; (n = left_.load(std::memory_order_acquire)) != 0;) {
            detail::wait_word(left_, n);
        }
    }

    // acquire: as in wait().
    bool is_complete() const noexcept { return left_.load(std::memory_order_acquire) == 0; }

    // Makes it usable again, when there are no waiters and no submitters.
    void reset(std::ptrdiff_t expected) noexcept
    {
        // relaxed: the code that lets others use it again publishes it.
        left_.store(static_cast<std::uint32_t>(expected), std::memory_order_relaxed);
    }

private:
    mutable detail::word left_;
};

// Reduces the submitted values, beginning with `initial`, by `operation`, which must be associative
// and commutative; in no particular order. Submitters use different partial results, so few meet in
// one of them.
template <class T, class Operation = std::plus<T>>
class reducing_sinc {
public:
    explicit reducing_sinc(std::ptrdiff_t expected, T initial = T(),
                           Operation operation = Operation())
        : initial_(std::move(initial)), operation_(std::move(operation)), count_(expected)
    {}

    void expect(std::ptrdiff_t count = 1) noexcept { count_.expect(count); }  // as sinc::expect

    // As sinc::submit. An exception of `operation` ends the program. It must not wait: others may
    // spin until it returns.
    void submit(T value) noexcept
    {
        partial& p = partials_[detail::feb_caller() % partials_.size()];
        for (unsigned round = 0;
             // acquire: pairs with the release below: the others' values.
             p.locked.exchange(true, std::memory_order_acquire);) {
            detail::feb_spin(round);
        }
        if (p.any) {
            detail::join_into(p.value, operation_, std::move(value));
        } else {
            p.value = std::move(value);
        }
        p.any = true;
        p.locked.store(false, std::memory_order_release);  // release: pairs with the exchange above
        count_.submit();
    }

    // Waits until all expected submissions have been made, and returns the result. May switch. For
    // one waiter, or for several if T can be copied: each gets the result.
    T wait()
    {
        count_.wait();
        if constexpr (std::copy_constructible<T>) {
            T result = initial_;
            for (const partial& p : partials_) {
                if (p.any) {
                    detail::join_into(result, operation_, p.value);
                }
            }
            return result;
        } else {
            T result = std::move(initial_);
            for (partial& p : partials_) {
                if (p.any) {
                    detail::join_into(result, operation_, std::move(p.value));
                }
            }
            return result;
        }
    }

    bool is_complete() const noexcept { return count_.is_complete(); }

    // Makes it usable again, when there are no waiters and no submitters. A T that cannot be copied
    // needs another initial value, as the result has been made of the first.
    void reset(std::ptrdiff_t expected)
        requires std::copy_constructible<T>
    {
        for (partial& p : partials_) {
            p.any = false;
        }
        count_.reset(expected);
    }
    void reset(std::ptrdiff_t expected, T initial)
    {
        initial_ = std::move(initial);
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
