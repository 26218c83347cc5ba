// Reports stack overflows of light threads: a fault in a fiber's guard ends the program with a line
// that names the light thread and its stack size and the variable that enlarges it. Other faults go
// to the handler that was there before.
#pragma once

namespace artel::fiber {

// Installs the SIGSEGV handler once per process. ARTEL's own workers call it when they start.
// Leaves a handler that the program installs later alone. Thread-safe.
void install_overflow_handler() noexcept;

// Gives the calling OS thread an alternate signal stack unless it has one; the handler needs it,
// the normal one being full.
void ensure_signal_stack() noexcept;

// By an OS thread of the crew that ends: gives back what ensure_signal_stack has made.
void release_signal_stack() noexcept;

}  // namespace artel::fiber
