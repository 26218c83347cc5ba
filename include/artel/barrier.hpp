// A barrier for light threads and OS threads, which can be reused. A waiter is suspended and its
// worker does other work, so there may be more participants than workers.
#pragma once

#include <artel/detail/wait_word.hpp>
#include <cstddef>
#include <limits>
#include <utility>

namespace artel {

struct no_completion {
    void operator()() const noexcept {}
};

// As std::barrier: `completion` runs once per phase, on the last participant to arrive, before the
// others are released; it must not throw.
template <class Completion = no_completion>
class barrier {
public:
    // The phase that an arrival belongs to.
    class arrival_token {
    public:
        arrival_token(arrival_token&&) noexcept = default;
        arrival_token& operator=(arrival_token&&) noexcept = default;

    private:
        friend class barrier;
        explicit arrival_token(std::uint32_t phase) noexcept : phase_(phase) {}
        std::uint32_t phase_;
    };

    static constexpr std::ptrdiff_t max() noexcept
    {
        return std::numeric_limits<std::int32_t>::max();
    }

    // 0 < expected <= max().
    explicit barrier(std::ptrdiff_t expected, Completion completion = {})
        : expected_(static_cast<std::uint32_t>(expected)),
          missing_(static_cast<std::uint32_t>(expected)), completion_(std::move(completion))
    {}
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;

    // Counts n arrivals in the present phase. Does not switch.
    [[nodiscard]] arrival_token arrive(std::ptrdiff_t n = 1) noexcept
    {
        // relaxed: the phase cannot end before the arrival below, which is part of it.
        const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
        const auto by = static_cast<std::uint32_t>(n);
        // acq_rel: the last to arrive sees what all participants did before they arrived, and
        // publishes it with the phase.
        if (missing_.fetch_sub(by, std::memory_order_acq_rel) == by) {
            complete(phase);
        }
        return arrival_token(phase);
    }

    void wait(arrival_token&& token) const noexcept
    {
        // acquire: pairs with the release in complete().
        while (phase_.load(std::memory_order_acquire) == token.phase_) {
            if (!detail::spin_while(phase_, token.phase_)) {
                detail::wait_word(phase_, token.phase_);
            }
        }
    }

    void arrive_and_wait() noexcept { wait(arrive()); }

    // Arrives, and is not expected in later phases.
    void arrive_and_drop() noexcept
    {
        // relaxed: read by the last to arrive, which the arrival orders.
        expected_.fetch_sub(1, std::memory_order_relaxed);
        static_cast<void>(arrive());
    }

private:
    void complete(std::uint32_t phase) noexcept
    {
        completion_();
        // relaxed (both): no participant arrives before the new phase is published.
        missing_.store(expected_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        phase_.store(phase + 1, std::memory_order_release);  // release: pairs with wait()
        detail::wake_word(phase_, detail::wake_all);
    }

    mutable detail::word phase_{0};
    std::atomic<std::uint32_t> expected_;
    std::atomic<std::uint32_t> missing_;
    [[no_unique_address]] Completion completion_;
};

}  // namespace artel
