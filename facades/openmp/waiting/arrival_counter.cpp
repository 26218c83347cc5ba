// Counting down and resetting. The last member to arrive at a counter resets it before it
// continues: all others wait for the release, which comes from that member or from a thread that
// waits for it, so nobody can arrive for the next phase while a counter is being reset.
#include "arrival_counter.hpp"

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
    }
    groups_expected_ = 0;
    for (unsigned i = first; i < members; ++i) {
        if (group_[group_of(i)].expected++ == 0) {
            ++groups_expected_;
        }
    }
    for (unsigned g = 0; g < groups; ++g) {
        // relaxed: published with the team.
        group_[g].left.store(group_[g].expected, std::memory_order_relaxed);
    }
    groups_left_.store(groups_expected_, std::memory_order_relaxed);  // relaxed: as above
}

bool arrival_counter::arrive(unsigned number) noexcept
{
    group& g = group_[group_of(number)];
    if (g.expected > 1) {
        // acq_rel: what each member did before arriving happens before what any member does after
        // the release (a chain of read-modify-writes of the counters, then the release of the word
        // that the others wait for).
        if (g.left.fetch_sub(1, std::memory_order_acq_rel) != 1) {
            return false;  // from here on the counter may belong to the next region
        }
        // The group is not counted yet, so the region cannot end without us.
        g.left.store(g.expected, std::memory_order_relaxed);  // relaxed: read after the release
    }
    if (groups_expected_ > 1) {
        // acq_rel: as above.
        if (groups_left_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
            return false;  // as above
        }
        // The last of all: nobody continues before the caller lets them.
        groups_left_.store(groups_expected_, std::memory_order_relaxed);  // relaxed: as above
    }
    return true;
}

}  // namespace artel::openmp
