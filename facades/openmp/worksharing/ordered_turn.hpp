// The order of ordered regions: pieces of a loop take turns in the order of their iterations. Each
// waiter watches a cache line that few others watch, chosen by a hash of the index, so that handing
// on a turn moves one line between two CPUs, however large the team is.
#pragma once

#include "base/cpu.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::openmp {

// Belongs to a worksharing slot and is kept for the slot's next ordered loop.
class ordered_turns {
public:
    // Called by the opener of the slot, before others see it: the piece that begins at 0 has the
    // turn. `size`: members of the team.
    void begin(unsigned size) noexcept;

    // Waits until every iteration before `low` has passed on its turn. May switch.
    void await(std::uint64_t low) noexcept;

    // Passes the turn on to the piece that begins at `next`. Called only by the holder of the turn.
    void pass(std::uint64_t next) noexcept;

private:
    struct alignas(base::cache_line) place {
        // The last index with this place that got the turn; or 0, which has the first place.
        std::atomic<std::uint64_t> turn{0};
        std::atomic<std::uint32_t> word{0};  // on which members sleep; bit 0: there are some
    };
    static constexpr unsigned most_places = 16;

    place& place_of(std::uint64_t index) noexcept;

    unsigned shift_ = 0;  // constant while the slot is open
    std::array<place, most_places> places_;
};

}  // namespace artel::openmp
