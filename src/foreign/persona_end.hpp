// The end of a persona, which is a fiber of the crew or an OS thread of its own
// (thread_persona.hpp): its thread is dismissed, runs the destructors of its thread-local objects,
// and ends; then its memory can be freed. The personas wait, without an assignment, and nobody else
// knows them. Any thread but the persona's.
#pragma once

#include "base/work.hpp"

namespace artel::foreign {

// Does not wait.
void dismiss_persona(base::work& persona) noexcept;

// After dismiss_persona: false, and nothing is freed, when its thread has not ended. `wait`: blocks
// the OS thread until it has.
bool free_persona(base::work& persona, bool wait) noexcept;

// Both for all of a list, linked by `next`. Blocks the OS thread.
void end_personas(base::work* personas) noexcept;

}  // namespace artel::foreign
