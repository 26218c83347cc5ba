// Entry points that others of the library's files call.
#pragma once

#include "abi.hpp"

namespace tbb::detail::r1 {
void initialize(d1::task_arena_base& a);
}
