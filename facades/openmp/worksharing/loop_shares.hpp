// The shares of a loop whose members own a range each and take from each other when theirs is done:
// what the C++ loops' default does (src/loop/automatic.cpp), for teams, all of whose members come.
// Selected by name in OMP_SCHEDULE and by compilers as static_steal.
//
// The table belongs to a worksharing slot and is kept for the slot's next loop. Pieces are numbers
// that nobody else gets, so all accesses are relaxed (see loop.hpp); the table's set-up is
// published with the slot.
#pragma once

#include "base/cpu.hpp"
#include "loop/range_word.hpp"
#include "team/worksharing_state.hpp"

#include <cstdint>
#include <memory>

namespace artel::openmp {

class loop_shares {
public:
    // By who opens the slot: an even share of `count` iterations for each of `size` members, but
    // for the last unit, which is in no share: its member must not run others after it
    // (loop_batches.cpp says why). `chunk` 0: owners take an eighth of what they have. False when
    // there is no memory.
    bool deal(std::uint64_t count, std::uint64_t chunk, unsigned size) noexcept;

    // The next piece of member `number`, from its own share or from another's. False when nobody
    // has anything left that could be taken.
    bool take(unsigned number, piece& taken) noexcept;

    // The last unit, for one of those who have found nothing to take; empty when the loop is.
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
    std::uint64_t unit_ = 1;  // iterations of a unit; ranges count 32 bits of them
    bool exact_ = false;      // a unit is the chunk that was asked for: one at a time
};

}  // namespace artel::openmp
