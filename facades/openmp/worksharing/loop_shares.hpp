// Loops in which each member owns a range and steals from the others when its own is done. The C++
// loops do this by default (src/loop/automatic.cpp); here all members of the team take part.
// OMP_SCHEDULE selects it by name, and compilers as static_steal.
//
// The table belongs to a worksharing slot and is kept for the slot's next loop. A piece is a number
// that no other member gets, so all accesses are relaxed (see loop.hpp); the slot's publication
// publishes the set-up.
#pragma once

#include "base/cpu.hpp"
#include "loop/range_word.hpp"
#include "team/worksharing_state.hpp"

#include <cstdint>
#include <memory>

namespace artel::openmp {

class loop_shares {
public:
    // Called by the opener of the slot: gives each of `size` members an even share of `count`
    // iterations. The last unit is in no share: its member must run no others after it
    // (loop_batches.cpp says why). `chunk` 0: owners take an eighth of what they have. False when
    // there is no memory.
    bool deal(std::uint64_t count, std::uint64_t chunk, unsigned size) noexcept;

    // The next piece of member `number`, from its own share or another's. False when there is none
    // to take.
    bool take(unsigned number, piece& taken) noexcept;

    // The last unit, for a member that has found nothing to take; empty when the loop is.
    piece last() const noexcept { return last_; }

private:
    struct alignas(base::cache_line) share {
        loop::range_word units;
    };
    bool steal(unsigned number) noexcept;

    std::unique_ptr<share[]> shares_;
    unsigned capacity_ = 0;
    unsigned size_ = 0;
    piece last_;
    std::uint64_t unit_ = 1;  // iterations of a unit; ranges are 32-bit numbers of units
    bool exact_ = false;      // a unit is the requested chunk: pieces are single units
};

}  // namespace artel::openmp
