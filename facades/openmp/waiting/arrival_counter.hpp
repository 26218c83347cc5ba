// Finds the member that arrives last. Arrivals are counted per group of members that start on the
// same worker, and then among groups, so that members on different workers rarely contend for one
// cache line.
//
// A member that is not the last must not touch the counter after its own count: the others may end
// the region, and the next region may configure the counter for another number of members, while
// the late member is still inside arrive(). So counters count down to zero, and the result of the
// read-modify-write alone decides. The first version counted up and read the expected number
// afterwards: with regions of 5 and 3 members in turn, a member that was preempted between the two
// saw the next region's number, took itself for the last one, and ended a region in which others
// were still at work (arrival_counter_model.cpp keeps that version as one that must fail).
#pragma once

#include "base/cpu.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace artel::openmp {

class arrival_counter {
public:
    // Sets the counter up for members `first` .. `members`-1, in `groups` groups of nearly equal
    // size; none has arrived. Not thread-safe; may throw std::bad_alloc.
    void configure(unsigned members, unsigned groups, unsigned first = 0);

    // Counts the member in; true for the last one. The counter is then ready for the next phase, in
    // which nobody may arrive before the last member has released the others. Everything that
    // members did before arriving happens before what the last one does next. After a return of
    // false the counter may be reconfigured or freed at any moment.
    bool arrive(unsigned number) noexcept;

    // An estimate of how many members have arrived; a group counts only when all of it has. Only
    // for members that have not arrived yet.
    unsigned arrived() const noexcept
    {
        // relaxed: an estimate.
        const unsigned left = groups_left_.load(std::memory_order_relaxed);
        return (groups_expected_ - left) * members_ / groups_;
    }

private:
    struct alignas(base::cache_line) group {
        std::atomic<unsigned> left{0};
        unsigned expected = 0;  // read by members that are still to arrive, and by the last one
    };
    unsigned group_of(unsigned number) const noexcept
    {
        if (groups_ == members_) {
            return number;  // the usual case, without a division
        }
        return number % groups_;  // as a team's members are spread over workers (hot_team.cpp)
    }

    alignas(base::cache_line) std::atomic<unsigned> groups_left_{1};
    unsigned members_ = 1;
    unsigned groups_ = 1;
    unsigned groups_expected_ = 1;  // groups that have members
    std::unique_ptr<group[]> group_;
    unsigned group_capacity_ = 0;
};

}  // namespace artel::openmp
