// task_arena::execute by a thread that finds no slot in the arena.
#pragma once

#include "arena.hpp"

namespace artel::onetbb {

// Whoever gets to it first runs the function: a thread of the arena, or the caller in a slot that
// came free. Throws what it throws. Switches.
void execute_from_outside(thread& me, arena& a, abi::d1::delegate_base& f);

}  // namespace artel::onetbb
