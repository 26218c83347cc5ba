// What a function of BLAS or LAPACK is known by: its name, and how its arguments tell that it is
// called for little. OpenBLAS keeps to one thread then, and takes some nanoseconds; such calls are
// passed on without a word (entry.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace artel::openblas {

// How much a call has to do: the product of some of its integer arguments, all among the first six.
struct amount {
    std::uint8_t first = 0, count = 0;  // of these arguments, from 0; no count: cannot be told
    bool by_reference = false;
    bool wide = false;       // integers of 64 bits
    std::uint32_t most = 0;  // so much is little, for every type and on every processor
};

// `plain`: as the library's documentation has it, dgemm_, cblas_dgemm, LAPACKE_dgesv. Nullopt: not
// of BLAS or LAPACK, or a helper of theirs that computes nothing (xerbla_, lsame_, dlamch_). Names
// alone decide: a library that has OpenBLAS inside exports whatever else it likes.
std::optional<amount> routine(std::string_view plain, bool wide) noexcept;

}  // namespace artel::openblas
