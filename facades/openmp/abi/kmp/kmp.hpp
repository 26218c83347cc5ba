// Types of the __kmpc_ interface, which clang, flang and Intel's compilers compile to (LLVM
// documents it in openmp/docs/Reference.rst and in the comments of its runtime). Its functions get
// the source location and the caller's global number, which are ignored: the thread pointer
// identifies the caller. The files of this folder only turn the interface's arguments into ours.
#pragma once

#include "abi/abi.hpp"
#include "abi/thread_number.hpp"
#include "team/team.hpp"

#include <cstdint>

#define ARTEL_KMP extern "C"

namespace artel::openmp::kmp {

// The source location of a construct, with flags of the compiler.
struct ident {
    std::int32_t reserved_1;
    std::int32_t flags;
    std::int32_t reserved_2;
    std::int32_t reserved_3;
    const char* source;  // ";file;function;line;column;;"

    // the compiler offers code that combines by atomics.
    static constexpr std::int32_t atomic_reduction = 0x10;
};

// Compilers pass all variables of a region as separate pointers.
using microtask = void (*)(std::int32_t* global, std::int32_t* bound, ...);

}  // namespace artel::openmp::kmp
