// Counting a team's members in, and the team barrier made of it: arrivals are counted per group of
// members that start on the same worker, then among groups, so that members that live together do
// not fight for one cache line with the others; they wait for the release in a room.
#pragma once

#include "room.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace artel::openmp {

// Tells who of `members` is the last to arrive.
class arrival_counter {
public:
    // For members `first` .. `members`-1, `members` being in `groups` groups of nearly equal size,
    // none of them arrived. Not thread-safe; may throw std::bad_alloc.
    void configure(unsigned members, unsigned groups, unsigned first = 0);

    // Counts the member in; true for the last one, for whom the counter is ready for the next time:
    // before anybody arrives again it must have let the others know. Everything that members did
    // before arriving happens before what the last one does next.
    bool arrive(unsigned number) noexcept;

    // How many wait for the others. A guess, and of a group nobody counts before all of it has
    // arrived.
    unsigned arrived() const noexcept
    {
        // relaxed: a guess.
        return groups_arrived_.load(std::memory_order_relaxed) * members_ / groups_;
    }

private:
    unsigned group_of(unsigned number) const noexcept
    {
        return static_cast<unsigned>(static_cast<std::uint64_t>(number) * groups_ / members_);
    }
    struct alignas(base::cache_line) group {
        std::atomic<unsigned> arrived{0};
        unsigned expected = 0;
    };
    alignas(base::cache_line) std::atomic<unsigned> groups_arrived_{0};
    unsigned members_ = 1;
    unsigned groups_ = 1;
    unsigned groups_expected_ = 1;  // of these, those that have members
    std::unique_ptr<group[]> group_;
    unsigned group_capacity_ = 0;
};

class team_barrier {
public:
    void configure(unsigned members, unsigned groups);

    // Counts the member in; true for the last one, who then must release().
    bool arrive(unsigned number) noexcept { return arrivals_.arrive(number); }

    unsigned arrived() const noexcept { return arrivals_.arrived(); }

    // The phase to wait for the end of; read it before arrive().
    std::uint64_t phase() const noexcept { return room_.word(); }
    void release() noexcept { room_.open(room_.word() + 1); }

    // Where those who have arrived wait for the phase to change.
    waiting_room& room() noexcept { return room_; }

private:
    arrival_counter arrivals_;
    waiting_room room_;
};

}  // namespace artel::openmp
