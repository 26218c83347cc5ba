// Stacks for plain fibers: equal-sized, cut from slabs, each with a guard below it, never backed by
// huge pages. Freed stacks are kept for reuse (LIFO, so that the warm one is taken next) and never
// returned to the kernel. Thread-safe; never blocks on anything but the kernel's memory calls.
#pragma once

#include <cstddef>

namespace artel::fiber {

struct stack {
    void* low = nullptr;   // lowest usable byte; the guard lies right below
    std::size_t size = 0;  // usable bytes
    void* high() const noexcept { return static_cast<char*>(low) + size; }
};

// Bytes below `low` that fault when touched.
std::size_t stack_guard_size() noexcept;

// One stack of base::options().stack_size usable bytes (rounded up to pages); low == nullptr when
// the kernel has no memory.
stack allocate_stack() noexcept;

// Gives a stack back. It must not be in use by any context.
void free_stack(stack) noexcept;

// In the child of a fork: the lock may have been held by a thread that no longer exists.
void reset_stacks_after_fork() noexcept;

}  // namespace artel::fiber
