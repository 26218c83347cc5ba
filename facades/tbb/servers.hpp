// Personas that serve arenas. One that has nothing to do is kept here, and the last one that came
// is the first to go on: so a process has no more of them than have served at the same time, and
// thread-local data of tasks are found again. Those that nobody has needed for seconds end.
#pragma once

#include "fiber/fiber.hpp"

namespace artel::onetbb::servers {

struct job {
    // On the persona. What it returns goes to `end`.
    bool (*run)(void* argument);
    // When the persona is free for other jobs; on another stack, and under another thread's
    // thread-local storage. Does not switch.
    void (*end)(void* argument, bool from_run);
    void* argument;
};

// A persona that will do the job when it is next switched to or made ready; nullptr when the system
// gives no more threads, or to a caller that is no worker of the crew.
fiber::fiber* take(const job& j) noexcept;

// Lets it begin.
void start(fiber::fiber& persona) noexcept;

// Ends the threads of all that are idle, and waits for that. Switches.
void end_idle() noexcept;

// In the child of a fork they do not exist.
void forget_after_fork() noexcept;

}  // namespace artel::onetbb::servers
