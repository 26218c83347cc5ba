// Entry points that others of the library's files call.
#pragma once

#include "abi.hpp"

namespace tbb::detail::r1 {
void initialize(d1::task_arena_base& a);
// Unless the program does, or has done, in another thread.
void initialize_once(d1::task_arena_base& a);
}  // namespace tbb::detail::r1
