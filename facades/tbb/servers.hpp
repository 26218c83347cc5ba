// The pool of personas that serve arenas. Idle ones are reused last in, first out, so that a
// process has no more of them than have served at the same time, and tasks find thread-local data
// again. Personas that nobody has needed for seconds end.
#pragma once

#include "fiber/fiber.hpp"

namespace artel::onetbb::servers {

struct job {
    // Runs on the persona. Its result is passed to `end`.
    bool (*run)(void* argument);
    // Called when the persona can take other jobs, on another stack and with another thread's
    // thread-local storage. Must not switch.
    void (*end)(void* argument, bool from_run);
    void* argument;
    const void* works_for = nullptr;  // fiber::fiber::works_for
};

// A persona that does the job once it is switched to or made ready. nullptr when the system gives
// no more threads, or when the caller is no worker of the crew.
fiber::fiber* take(const job& j) noexcept;

// Makes it ready.
void start(fiber::fiber& persona) noexcept;

// Ends the threads of all that are idle, and waits for that. Switches.
void end_idle() noexcept;

// In the child of a fork they do not exist.
void forget_after_fork() noexcept;

}  // namespace artel::onetbb::servers
