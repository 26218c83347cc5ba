// Which member of which team the caller is. This is kept in thread-local storage of the OS thread,
// and set whenever a light thread begins or goes on. It is read through functions in a separate
// unit, which are never inlined: a compiler takes the address of thread-local storage for constant
// within a function, but a light thread may continue on another OS thread.
#pragma once

namespace cp {

struct thread;

// Never null: an OS thread that is seen for the first time becomes the only member of a team.
thread* current();
// Null if it has none yet.
thread* current_if_any();
void set_current(thread* t);

}  // namespace cp
