#include "barrier.hpp"

namespace artel::openmp {

void team_barrier::configure(unsigned members, unsigned groups)
{
    arrivals_.configure(members, groups);
    queue_.configure(groups);
}

}  // namespace artel::openmp
