// Reports stack overflows of light threads: a fault in a fiber's guard ends the program with a line
// that names the light thread and its stack size and the variable that enlarges it. Other faults go
// to the handler that was there before.
#pragma once

namespace artel::fiber {

// Installs the SIGSEGV handler once per process. ARTEL's own workers call it when they start.
// Leaves a handler that the program installs later alone. Thread-safe.
void install_overflow_handler() noexcept;

// Gives the calling OS thread an alternate signal stack unless it has one; the handler needs it,
// the normal one being full. The stack, for release_signal_stack, or nullptr when it made none.
void* ensure_signal_stack() noexcept;

// By an OS thread that ends, or leaves the crew: gives back what ensure_signal_stack has made for
// it. `mine` may be nullptr.
void release_signal_stack(void* mine) noexcept;

}  // namespace artel::fiber
