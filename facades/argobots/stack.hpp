// Stacks of ULTs that have one of their own: given by the user, or of a size that was asked for.
#pragma once

#include "fiber/fiber.hpp"
#include "thread.hpp"

namespace artel::argobots {

// A context on such a stack, which will run entry(fiber); nullptr without memory.
fiber::fiber* make_own_context(thread& t, void (*entry)(fiber::fiber&)) noexcept;
void free_own_context(thread& t) noexcept;

}  // namespace artel::argobots
