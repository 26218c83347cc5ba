// Dependences between tasks: by address, among the children of one task. All under the team's lock.
#pragma once

namespace cp {

struct task;

// Enters a child's dependences, pairs as in cp.h; `missing` says how many are unsatisfied.
void add_dependences(task& parent, task* t, void** pairs, unsigned n);

}  // namespace cp
