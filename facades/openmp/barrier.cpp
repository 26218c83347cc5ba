// Counting arrivals. A counter is set back by the last one to arrive at it, before it goes on:
// everybody else waits for the release, which that one (or somebody who waits for it) gives, so
// nobody can arrive at the next phase while a counter is still being set back.
#include "barrier.hpp"

namespace artel::openmp {

void arrival_counter::configure(unsigned members, unsigned groups, unsigned first)
{
    members_ = members;
    groups_ = groups;
    if (groups > group_capacity_) {
        group_ = std::make_unique<group[]>(groups);
        group_capacity_ = groups;
    }
    for (unsigned g = 0; g < groups; ++g) {
        group_[g].expected = 0;
        group_[g].arrived.store(0, std::memory_order_relaxed);  // relaxed: published with the team
    }
    groups_expected_ = 0;
    for (unsigned i = first; i < members; ++i) {
        if (group_[group_of(i)].expected++ == 0) {
            ++groups_expected_;
        }
    }
    groups_arrived_.store(0, std::memory_order_relaxed);  // relaxed: published with the team
}

void team_barrier::configure(unsigned members, unsigned groups)
{
    arrivals_.configure(members, groups);
    room_.configure(groups);
}

bool arrival_counter::arrive(unsigned number) noexcept
{
    group& g = group_[group_of(number)];
    if (g.expected > 1) {
        // acq_rel: what each member did before arriving happens before what anybody does after the
        // release (a chain of read-modify-writes of the counters, then the release of the room's
        // word).
        if (g.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 != g.expected) {
            return false;
        }
        // relaxed: the next arrival comes after the release.
        g.arrived.store(0, std::memory_order_relaxed);
    }
    if (groups_expected_ > 1) {
        // acq_rel: as above.
        if (groups_arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != groups_expected_) {
            return false;
        }
        groups_arrived_.store(0, std::memory_order_relaxed);  // relaxed: as above
    }
    return true;
}

}  // namespace artel::openmp
