// Stacks of ULTs that do not use a pooled one: given by the user, or of a requested size.
#pragma once

#include "fiber/fiber.hpp"
#include "settings.hpp"
#include "thread.hpp"

namespace artel::argobots {

// Sets the size of pooled stacks to what the environment asks for, if there are none yet.
void choose_stacks(const settings& s) noexcept;
// Whether a ULT that asks for `bytes` (0: the default) cannot have a pooled stack.
bool needs_own_stack(std::size_t bytes) noexcept;

// Makes that stack when the unit is created, so that its creator gets the error when there is no
// memory. Kept until the unit is freed, also when it is revived. False without memory.
bool make_own_stack(thread& t) noexcept;
void free_own_stack(thread_extra& e) noexcept;

// Makes a context on that stack, which will run entry(fiber); nullptr without memory.
fiber::fiber* make_own_context(thread& t, void (*entry)(fiber::fiber&)) noexcept;
void free_own_context(thread& t) noexcept;

// The same for the root of a stream, which runs its main schedulers and tasklets, with a stack of
// the size in the environment. It ends on another stack.
fiber::fiber* make_root_context(void (*entry)(fiber::fiber&)) noexcept;
void free_root_context(fiber::fiber& f) noexcept;

// In the child of a fork the list of free ones may be half changed.
void forget_kept_stacks_after_fork() noexcept;

}  // namespace artel::argobots
