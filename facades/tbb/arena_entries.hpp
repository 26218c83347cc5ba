// Entry points that other files of the library call.
#pragma once

#include "abi.hpp"

namespace tbb::detail::r1 {
void initialize(d1::task_arena_base& a);
// Does nothing if another thread of the program initialises the arena, or has done so.
void initialize_once(d1::task_arena_base& a);
}  // namespace tbb::detail::r1
