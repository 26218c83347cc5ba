// Finding, starting and ending the tool. At most one in the life of a process; a child of fork
// keeps its parent's.
#pragma once

#include "ompt/interface/abi.hpp"

namespace artel::openmp::ompt {

// Searches for a tool as OMP_TOOL and OMP_TOOL_LIBRARIES say, and starts it. Does so once;
// concurrent callers wait. Runs the tool's code.
void start_tool() noexcept;

// Ends the tool, if one is attached: tells it that the calling thread's initial task and the
// threads of its team have ended, and finalizes it. At the end of the program, and for tools that
// ask for it.
void finish_tool() noexcept;

// The function that a tool looks up by name (inquiry.cpp). nullptr for unknown names.
any_function entry_point(const char* name) noexcept;

}  // namespace artel::openmp::ompt
