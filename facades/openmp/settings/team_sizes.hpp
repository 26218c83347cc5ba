// Lists of team sizes by level: OMP_NUM_THREADS=a,b,c, and what compilers push for
// num_threads(a,b,c). A task's ICVs hold a small number for the list that applies below it, to stay
// small themselves; so each list is kept once, for ever.
#pragma once

#include <cstdint>
#include <vector>

namespace artel::openmp {

struct team_sizes {
    std::vector<unsigned> sizes;
    // tasks at omp_get_level() == base have the first size as their nthreads-var, those a level
    // deeper the second.
    unsigned base = 0;
    bool operator==(const team_sizes&) const = default;
};

// Returns a number for the list, from 1; 0 when there are too many or no memory, and only the first
// size then applies. Any thread.
std::uint16_t remember_sizes(const team_sizes& list) noexcept;

// The list's size for tasks at `level`; 0 when it says nothing about it.
unsigned size_at(std::uint16_t number, unsigned level) noexcept;

}  // namespace artel::openmp
