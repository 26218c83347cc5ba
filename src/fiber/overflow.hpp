// Reports stack overflows of light threads: a fault in a fiber's guard ends the program with a line
// that names the light thread, its stack size, and the variable that enlarges it. With the first
// other one the program's own action comes back.
#pragma once

namespace artel::fiber {

// Installs the SIGSEGV handler once per process; called when the crew is first made. Leaves a
// handler that the program installs later alone. Thread-safe.
void install_overflow_handler() noexcept;

// Gives the calling OS thread an alternate signal stack unless it has one; the handler needs it,
// because the normal stack is full. Returns the stack, for release_signal_stack, or nullptr when
// none was made.
void* ensure_signal_stack() noexcept;

// Called by an OS thread that ends, or leaves the crew: frees the stack of ensure_signal_stack.
// `mine` may be nullptr.
void release_signal_stack(void* mine) noexcept;

}  // namespace artel::fiber
