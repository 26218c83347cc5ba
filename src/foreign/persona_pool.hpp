// The pool of personas, one for the whole process. A facade runs code on them that expects to be a
// thread, such as the members of an OpenMP team with numbers above 0. A persona is carried by the
// crew (fiber/persona.hpp), or under ARTEL_MEMBERS=threads it is an OS thread of its own
// (thread_persona.hpp). Personas without an assignment wait in the pool; those that are not needed
// for some seconds end.
#pragma once

#include "fiber/fiber.hpp"

#include <atomic>
#include <cstddef>

namespace artel::foreign {

class retirement;

// What a persona runs next. Must exist until run() is entered.
struct assignment {
    // with tls.local == nullptr; may set it; returns when the persona may go back to the pool.
    void (*run)(void* argument) = nullptr;
    void* argument = nullptr;
    const void* works_for = nullptr;  // fiber::fiber::works_for
};

// `count` suspended personas, fibers linked by `next`. Those that the pool lacks are made all at
// once, with at least `stack_size` bytes of stack (0: the system's default); `meanwhile`, if it has
// something to run, runs while they start, and then the OS thread blocks until they are ready.
// Fewer, and an `error` that is not 0, when the system gives no more threads. Any thread.
base::work* acquire_personas(unsigned count, std::size_t stack_size, const assignment& meanwhile,
                             int& error) noexcept;

// A persona that is an OS thread (thread_persona.hpp) has done its assignment: it goes to the pool,
// or into retirement. From then on others may take it.
void persona_is_free(fiber::fiber& persona, retirement* to) noexcept;

// Such a persona will execute the assignment when it is next switched to or made ready.
void assign(fiber::fiber& persona, const assignment& a) noexcept;

// One persona with its assignment, preferably the one that was last used on the caller's worker;
// nullptr and an `error` when the system gives no more threads.
fiber::fiber* acquire_persona(const assignment& a, std::size_t stack_size, int& error) noexcept;

// Personas that are to end instead of going back to the pool. Lives until finish() has returned.
class retirement {
public:
    // Called by a persona, in its assignment: it ends when that returns.
    void enrol_this_persona() noexcept;
    // Called when no more personas enrol: waits until all of them are done, and ends their threads.
    // May switch, and blocks the OS thread.
    void finish() noexcept;

private:
    friend struct retired_personas;
    std::atomic<unsigned> enrolled_{0};
    unsigned arrived_ = 0;            // guarded by the lock of the pool
    base::work* personas_ = nullptr;  // as above
};

// Ends the threads of all personas that wait in the pool. Blocks the OS thread.
void end_idle_personas() noexcept;

}  // namespace artel::foreign
