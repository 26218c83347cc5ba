// Finds the OpenBLAS libraries of the process and puts our functions before theirs (entry.hpp), in
// their symbol tables and where their names have been looked up already.
#pragma once

#include "library.hpp"

#include <span>

namespace artel::openblas {

// Looks for libraries that are not known yet. How many were found. Any thread; some milliseconds
// for each, 0.1 ms when there is none, less when nothing has been loaded since. None without
// ARTEL_BLAS=true.
unsigned take_over_new() noexcept;

// The same by a thread that loads a library at the moment, which never waits for others here: one
// that is looking already looks again.
void take_over_loaded() noexcept;

// Those that are known, in the order in which they were found. Never freed.
std::span<library* const> known() noexcept;

}  // namespace artel::openblas
