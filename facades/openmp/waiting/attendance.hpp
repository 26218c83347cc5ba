// The number of barriers that a member has reached in a region that can be cancelled, or the mark
// that it reaches no more of them. Written by the member, read by members that wait for it.
//
// In a cancelled region a barrier's counter is of no use: some members have gone to the region's
// end, and the counter may include them although they did not pass the barrier. Barriers that are
// no cancellation points, such as the one in which members wait for the value of a single, must
// still be passed by the members that reach them, once every other member has reached them too or
// has left (team_barrier.cpp).
//
// No wake-up is lost: a member publishes its arrival, makes a full fence, and checks whether the
// region is cancelled; the canceller sets the flag, makes a full fence, and wakes all waiters to
// check again. So either the waiters see the arrival, or the member sees the cancellation and wakes
// them itself.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::openmp {

class attendance {
public:
    // By the member, in region number `region` of its team: it has reached its next barrier.
    // Returns that barrier's number.
    std::uint32_t come(std::uint32_t region) noexcept
    {
        // relaxed: only we write it.
        const std::uint64_t before = word_.load(std::memory_order_relaxed);
        const std::uint32_t number = before >> 32 == region
                                         ? (static_cast<std::uint32_t>(before) + 1) & numbers
                                         : 1;
        // release: pairs with has_come(), which sees what the member did before.
        word_.store(std::uint64_t{region} << 32 | number, std::memory_order_release);
        return number;
    }

    // By the member: it reaches no more barriers in this region.
    void leave(std::uint32_t region) noexcept
    {
        // release: as in come().
        word_.store(std::uint64_t{region} << 32 | left, std::memory_order_release);
    }

    // Whether the member has left the region.
    bool has_left(std::uint32_t region) const noexcept
    {
        // acquire: pairs with leave().
        const std::uint64_t seen = word_.load(std::memory_order_acquire);
        return seen >> 32 == region && (seen & left) != 0;
    }

    // Whether the member has reached barrier `number`, or has left. False for a member that has not
    // begun with the region or is new in the team.
    bool has_come(std::uint32_t region, std::uint32_t number) const noexcept
    {
        // acquire: pairs with come() and leave().
        const std::uint64_t seen = word_.load(std::memory_order_acquire);
        const auto reached = static_cast<std::uint32_t>(seen);
        return seen >> 32 == region &&
               ((reached & left) != 0 || ((reached - number) & numbers) <= numbers / 2);
    }

private:
    static constexpr std::uint32_t left = 1u << 31;
    static constexpr std::uint32_t numbers = left - 1;
    // upper half: the region.
    std::atomic<std::uint64_t> word_{0};
};

}  // namespace artel::openmp
