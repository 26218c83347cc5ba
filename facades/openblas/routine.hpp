// A function of BLAS or LAPACK, recognised by its name, and how its arguments show that a call is
// small. OpenBLAS uses one thread for small calls, which take nanoseconds, so they are passed on
// without being counted (entry.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace artel::openblas {

// The amount of work of a call: the product of some of its integer arguments, all among the first
// six.
struct amount {
    // indices of these arguments, from 0; none: the amount is unknown
    std::uint8_t first = 0, count = 0;
    bool by_reference = false;
    bool wide = false;       // integers of 64 bits
    std::uint32_t most = 0;  // up to this a call is small, for every type and on every processor
};

// `plain`: the name in the library's documentation, such as dgemm_, cblas_dgemm, LAPACKE_dgesv.
// Nullopt: not of BLAS or LAPACK, or one of their helpers that compute nothing (xerbla_, lsame_,
// dlamch_). Only names decide, because a library that contains OpenBLAS exports other functions as
// well.
std::optional<amount> routine(std::string_view plain, bool wide) noexcept;

}  // namespace artel::openblas
