// Which member of which team the caller is. Kept in the OS thread's storage and set whenever a
// light thread begins or goes on; read through functions of a unit of its own that are never
// inlined, because a compiler takes the address of such storage for constant while a function runs,
// and a light thread may go on on another OS thread.
#pragma once

namespace cp {

struct thread;

// Never null: an OS thread that is seen for the first time becomes the only member of a team.
thread* current();
// Null where there is none yet.
thread* current_if_any();
void set_current(thread* t);

}  // namespace cp
