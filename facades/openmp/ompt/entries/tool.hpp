// The tool: found, started and ended. At most one in the life of a process; a child of fork keeps
// its parent's.
#pragma once

#include "ompt/interface/abi.hpp"

namespace artel::openmp::ompt {

// Looks for a tool where OMP_TOOL and OMP_TOOL_LIBRARIES say, and starts it. Does it once; others
// who call meanwhile wait. Runs the tool's code.
void start_tool() noexcept;

// Takes leave of the tool, if one is attached: it is told that the calling thread's initial task
// and the threads behind its team have ended, and finalized. For the end of the program, and for
// tools that ask for it.
void finish_tool() noexcept;

// What a tool gets for asking by name (inquiry.cpp). Nullptr for names that are not ours.
any_function entry_point(const char* name) noexcept;

}  // namespace artel::openmp::ompt
