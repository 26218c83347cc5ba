// Lists of team sizes by level: OMP_NUM_THREADS=a,b,c, and what compilers push for
// num_threads(a,b,c). A task's ICVs name the list that holds below it by a small number, so that
// they stay small: lists are kept for ever, each once.
#pragma once

#include <cstdint>
#include <vector>

namespace artel::openmp {

struct team_sizes {
    std::vector<unsigned> sizes;
    unsigned
        // tasks at omp_get_level() == base have the first size as their nthreads-var, those a level
        // deeper the second.
        base = 0;
    bool operator==(const team_sizes&) const = default;
};

// The number of a list, which is not 0. 0 when there are too many, or no memory: then nothing but
// the first size holds. Any thread.
std::uint16_t remember_sizes(const team_sizes& list) noexcept;

// The list's size for tasks at `level`; 0 when it says nothing about it.
unsigned size_at(std::uint16_t number, unsigned level) noexcept;

}  // namespace artel::openmp
