// Sizing of the parts for a team; arriving and waiting are inline in the header, being part of each
// barrier.
#include "barrier.hpp"

namespace artel::openmp {

void team_barrier::configure(unsigned members, unsigned groups)
{
    arrivals_.configure(members, groups);
    queue_.configure(groups);
}

}  // namespace artel::openmp
