// Stacks of ULTs that have one of their own: given by the user, or of a size that was asked for.
#pragma once

#include "fiber/fiber.hpp"
#include "settings.hpp"
#include "thread.hpp"

namespace artel::argobots {

// Sees to it that pooled stacks are as large as the environment asks for, if there are none yet.
void choose_stacks(const settings& s) noexcept;
// Whether a ULT that asks for so many bytes cannot have a pooled stack. 0: the default.
bool needs_own_stack(std::size_t bytes) noexcept;

// A context on such a stack, which will run entry(fiber); nullptr without memory.
fiber::fiber* make_own_context(thread& t, void (*entry)(fiber::fiber&)) noexcept;
void free_own_context(thread& t) noexcept;

// The same for what runs the main schedulers of a stream, and with them tasklets: as large as the
// environment says. Its end is on another stack.
fiber::fiber* make_root_context(void (*entry)(fiber::fiber&)) noexcept;
void free_root_context(fiber::fiber& f) noexcept;

}  // namespace artel::argobots
