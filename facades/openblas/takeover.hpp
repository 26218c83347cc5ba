// Finds the OpenBLAS libraries of the process and replaces their functions by ours (entry.hpp), in
// their symbol tables and where their names have already been looked up.
#pragma once

#include "library.hpp"

#include <span>

namespace artel::openblas {

// Searches for new libraries. Returns how many were found. Any thread, also one that is loading a
// library; may wait for threads that load others. Some milliseconds for each, 0.1 ms if there is
// none, less if nothing has been loaded since the last search. None without ARTEL_BLAS=true.
unsigned take_over_new() noexcept;

// The known libraries, in the order in which they were found. Never freed.
std::span<library* const> known() noexcept;

}  // namespace artel::openblas
