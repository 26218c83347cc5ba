// A persona: a fiber for foreign code, with the stack and the TLS of a pthread that was created for
// it and then parked, usually for ever. glibc knows the thread, so thread_local destructors,
// dlopen's static TLS, pthread_self, errno and malloc's caches work for the code that runs on the
// persona, whichever OS thread carries it. Costs one parked OS thread (no CPU time) and about 20 us
// to make, nearly all of it the kernel's for a new thread. Limits: gettid() is the carrier's;
// priority-inheriting and robust mutexes belong to the carrier. Signal masks, and signals sent to
// it, are in signals.hpp. See docs/decisions/0001-personas.md for what was rejected.
#pragma once

#include "fiber/fiber.hpp"
#include "fiber/signals.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

namespace artel::fiber {

struct persona : fiber {
    void* user = nullptr;                 // for the facade that asked for the persona
    void (*main)(persona&) = nullptr;     // its main function; must not return
    std::atomic<std::uint32_t> state{0};  // futex: 0 being born, else base::os::park_state
    pthread_t thread{};                   // the parked one
    std::size_t mapped = 0;               // bytes from stack.low to the end of the C library's part
    std::size_t guard_size = 0;           // bytes below stack.low that fault
    signal_state signals;
};

// Makes `count` personas with at least `stack_size` bytes of stack each (0: the system's default
// for pthreads), each of which runs main(persona) when first switched to. Their pthreads start all
// at once; then meanwhile(argument) runs, if it is not nullptr, and the caller blocks until they
// are parked. Returns them linked by `next`; fewer, and `error` (an errno value, e.g. EAGAIN when
// threads are limited), when no more pthreads can be made. Any thread may call it.
persona* create_personas(unsigned count, std::size_t stack_size, void (*main)(persona&),
                         void (*meanwhile)(void*), void* argument, int& error) noexcept;

// Ends a persona that is suspended for ever and known to nobody else: its pthread runs the
// destructors of its thread-local objects, and exits; what its context has left on the stack is not
// unwound. Called on any OS thread except one that the persona runs on.
void dismiss_persona(persona& p) noexcept;

// Frees a dismissed persona when its pthread has exited; false when it has not. `wait`: blocks
// until it has.
bool free_persona(persona& p, bool wait) noexcept;

// The number of personas that are being made: whose pthreads have been started, and still need a
// CPU for some microseconds until they are parked. Any thread; an estimate.
unsigned unborn_personas() noexcept;
// In the child of a fork, where its parent's personas do not exist.
void forget_personas_after_fork() noexcept;

// The number of personas that have not been dismissed, for statistics.
std::size_t persona_count() noexcept;
// The largest such number so far.
std::size_t most_personas() noexcept;

}  // namespace artel::fiber
