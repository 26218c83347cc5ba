// Macros and types for the files that define exported functions (abi/gomp, abi/kmp, abi/omp).
// exports.txt lists what is exported, and under which version node; the signatures are those of the
// GOMP interface that gcc compiles to (the libgomp manual, "The libgomp ABI") and of the OpenMP
// API. Foreign code calls these functions on any thread, inside or outside a region.
#pragma once

#define ARTEL_GOMP extern "C"

// Defines `local` (declared before) as name@node, a version that is not the default one.
#define ARTEL_GOMP_HIDDEN_VERSION(local, name, node) asm(".symver " #local ", " #name "@" #node)

namespace artel::openmp {

using ull = unsigned long long;

}  // namespace artel::openmp
