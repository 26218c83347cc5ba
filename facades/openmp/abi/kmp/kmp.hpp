// Words of the __kmpc_ interface, which clang, flang and Intel's compilers compile to (LLVM
// documents it in openmp/docs/Reference.rst and in the comments of its runtime). Its functions get
// the place in the source and the caller's global number; we need neither, since whoever calls is
// known by the thread pointer, so they are not looked at. Thin: the files of this folder turn the
// interface's arguments into ours.
#pragma once

#include "abi/abi.hpp"
#include "abi/thread_number.hpp"
#include "team/team.hpp"

#include <cstdint>

#define ARTEL_KMP extern "C"

namespace artel::openmp::kmp {

// Where in the source a construct stands, and what the compiler says about it.
struct ident {
    std::int32_t reserved_1;
    std::int32_t flags;
    std::int32_t reserved_2;
    std::int32_t reserved_3;
    const char* source;  // ";file;function;line;column;;"

    // the compiler offers code that combines by atomics.
    static constexpr std::int32_t atomic_reduction = 0x10;
};

// Compilers give all variables of a region as separate pointers.
using microtask = void (*)(std::int32_t* global, std::int32_t* bound, ...);

}  // namespace artel::openmp::kmp
