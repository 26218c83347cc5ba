// Reduction operations of the MPI standard on the basic types, as loops that compilers vectorise.
// All others are left to the MPI library's own MPI_Reduce_local.
#pragma once

#include "coll/operation.h"

#include <cstdint>

namespace artel::coll {

enum class scalar : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, none };
// Pairs of a value and an int in their packed form, without gaps; for minloc and maxloc.
enum class pair : std::uint8_t { i32, f32, f64, i64, i16, none };
enum class op_kind : std::uint8_t {
    sum,
    prod,
    max,
    min,
    band,
    bor,
    bxor,
    land,
    lor,
    lxor,
    minloc,
    maxloc,
    none
};

using merge_function = int (*)(const artel_operation* self, const void* a, const void* b, void* out,
                               std::size_t elements);

// nullptr for combinations that do not exist: bits of floating-point numbers, locations of plain
// numbers. Buffers need not be aligned. Pure functions; any thread.
merge_function find_kernel(scalar type, op_kind op) noexcept;
merge_function find_kernel(pair type, op_kind op) noexcept;

}  // namespace artel::coll
