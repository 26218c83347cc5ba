// The program's qthread: the one that the thread is which initialised the library, or which forked.
#pragma once

#include "task.hpp"

namespace artel::qthreads {

// Makes the program's qthread for the calling thread. With `again`, in the child of a fork, it
// keeps the values of its keys if it was that already.
task& make_program(bool again);

// Whether the task is the program's own thread, which stays with the first shepherd.
bool is_the_program(const task& t) noexcept;

// For a child that was forked in another qthread: no thread of it was the program's qthread.
void forget_program_thread() noexcept;

}  // namespace artel::qthreads
