// task_arena::execute() by a thread that finds no free slot in the arena.
#pragma once

#include "arena.hpp"

namespace artel::onetbb {

// The function is run by a thread in the arena, or by the caller if a slot becomes free before.
// Throws what the function throws. Switches.
void execute_from_outside(thread& me, arena& a, abi::d1::delegate_base& f);

}  // namespace artel::onetbb
