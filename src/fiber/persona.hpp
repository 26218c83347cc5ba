// A persona: a fiber for foreign code, with the stack and the TLS of a pthread that was born for it
// and then parked, usually for ever. glibc knows the thread, so thread_local destructors, dlopen's
// static TLS, pthread_self, errno and malloc's caches are all right for the code that runs on the
// persona, whichever OS thread carries it. Costs one parked OS thread (no CPU time) and about 20 us
// to make. Limits: gettid() is the carrier's; priority-inheriting and robust mutexes and per-thread
// signal masks belong to the carrier. See docs/decisions/0001-personas.md for what was rejected.
#pragma once

#include "fiber/fiber.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

namespace artel::fiber {

struct persona : fiber {
    void* user = nullptr;                // for the facade that asked for the persona
    void (*main)(persona&) = nullptr;    // what runs on it; must not return
    std::atomic<std::uint32_t> born{0};  // futex: 0 being born, 1 parked and ready, 2 to end
    pthread_t thread{};                  // the parked one
    std::size_t guard_size = 0;          // bytes below stack.low that fault
};

// Makes a persona with at least `stack_size` bytes of stack (0: the system's default for pthreads)
// that runs main(persona) when first switched to. Blocks until the pthread is parked. Returns
// nullptr and sets `error` (an errno value, e.g. EAGAIN when threads are limited) when no pthread
// can be made. Any thread may call it.
persona* create_persona(std::size_t stack_size, void (*main)(persona&), void* user,
                        int& error) noexcept;

// Ends a persona that is suspended for good and known to nobody else: its pthread runs the
// destructors of its thread-local objects and exits; what its context has left on the stack is not
// unwound. Blocks until then. Any OS thread but one that the persona runs on.
void end_persona(persona& p) noexcept;

// How many there are, for statistics.
std::size_t persona_count() noexcept;

}  // namespace artel::fiber
