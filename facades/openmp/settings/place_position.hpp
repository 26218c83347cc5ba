// The place and place partition of a member (OpenMP 5.1, 2.6.2), and the policies that decide them.
#pragma once

namespace artel::openmp {

// Numbers of places; the partition is `count` places from `first` on. With count == 0 there is no
// binding at all.
struct place_position {
    unsigned place = 0;
    unsigned first = 0;
    unsigned count = 0;
    bool operator==(const place_position&) const = default;
};

// omp_proc_bind_t
enum : int { bind_false = 0, bind_true = 1, bind_primary = 2, bind_close = 3, bind_spread = 4 };

// The policy of a region: the clause (0: none) where binding is on.
inline int bind_policy_of_region(int bind_var, int clause) noexcept
{
    return bind_var != bind_false && clause != bind_false ? clause : bind_var;
}

}  // namespace artel::openmp
