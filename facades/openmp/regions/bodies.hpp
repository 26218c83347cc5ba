// Bodies: what members with numbers >= 1 run on. A body is a persona, with TLS of its own, or
// under ARTEL_MEMBERS=threads an OS thread of its own (thread_bodies.hpp); where
// the system gives no more threads the program ends with libgomp's message. Bodies without an
// assignment wait in one pool for the whole process.
#pragma once

#include "fiber/fiber.hpp"

#include <atomic>

namespace artel::openmp {

class retirement;

// What a body does next. Lives until run() is entered.
struct assignment {
    // with tls.local == nullptr; may set it; returns when the body may go back to the pool.
    void (*run)(void* argument) = nullptr;
    void* argument = nullptr;
};

// `count` suspended bodies, fibers linked by `next`. Those that the pool lacks are made all at
// once; `meanwhile`, if it has something to run, runs while they get ready, and then the OS thread
// blocks until they are.
base::work* acquire_bodies(unsigned count, const assignment& meanwhile = {}) noexcept;

// A body that is an OS thread (thread_bodies.hpp) has done its assignment: it goes to the pool, or
// into retirement. From then on others may have it.
void body_is_free(fiber::fiber& body, retirement* to) noexcept;

// Such a body will execute the assignment when it is next switched to or made ready.
void assign(fiber::fiber& body, const assignment& a) noexcept;

// One body, with its assignment.
fiber::fiber& acquire_body(const assignment& a) noexcept;

// Bodies that are to end instead of going back to the pool. Lives until finish() has returned.
class retirement {
public:
    // By a body, in its assignment: it ends when that returns.
    void enrol_this_body() noexcept;
    // When no body enrols any more: waits until all of them are done, and ends their threads. May
    // switch, and blocks the OS thread.
    void finish() noexcept;

private:
    friend struct retired_bodies;
    std::atomic<unsigned> enrolled_{0};
    unsigned arrived_ = 0;          // guarded by the lock of the pool
    base::work* bodies_ = nullptr;  // as above
};

// Ends the threads of all bodies that wait in the pool. Blocks the OS thread.
void end_idle_bodies() noexcept;

// In the child of a fork: the pool's bodies are gone.
void reset_bodies_after_fork() noexcept;

}  // namespace artel::openmp
