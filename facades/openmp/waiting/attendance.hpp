// How far a member has come in a region that can be cancelled: how many barriers it has met, or
// that it meets no more of them. Written by the member, read by those who wait for it.
//
// In a cancelled region a barrier's counter says nothing: some have left for the region's end, and
// of these some were counted at a barrier that they did not pass. Barriers that are no cancellation
// points, as those in which members wait for the value of a single, are still to be passed by those
// who meet them, when all the others have come there, too, or have left (team_barrier.cpp).
//
// Nobody is forgotten: a member notes that it has come, makes a full fence, and looks whether the
// region is cancelled; who cancels says so, makes a full fence, and has all who wait look again. So
// either they see the note then, or the member sees the cancellation, and has them look itself.
#pragma once

#include <atomic>
#include <cstdint>

namespace artel::openmp {

class attendance {
public:
    // By the member, in region number `region` of its team: it comes to its next barrier, whose
    // number is returned.
    std::uint32_t come(std::uint32_t region) noexcept
    {
        // relaxed: only we write it.
        const std::uint64_t before = word_.load(std::memory_order_relaxed);
        const std::uint32_t number = before >> 32 == region
                                         ? (static_cast<std::uint32_t>(before) + 1) & numbers
                                         : 1;
        // release: pairs with has_come(): what the member did before.
        word_.store(std::uint64_t{region} << 32 | number, std::memory_order_release);
        return number;
    }

    // The same: it comes to none any more.
    void leave(std::uint32_t region) noexcept
    {
        // release: as in come().
        word_.store(std::uint64_t{region} << 32 | left, std::memory_order_release);
    }

    // Whether the member has left: it meets nothing more in this region.
    bool has_left(std::uint32_t region) const noexcept
    {
        // acquire: pairs with leave().
        const std::uint64_t seen = word_.load(std::memory_order_acquire);
        return seen >> 32 == region && (seen & left) != 0;
    }

    // Whether the member has come to barrier `number`, or left. A member that has not begun with
    // the region, or is new in the team, has not.
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
