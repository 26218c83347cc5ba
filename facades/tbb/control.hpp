// What the program has set for the whole process (global_control).
#pragma once

#include "abi.hpp"

namespace artel::onetbb {

inline constexpr unsigned no_worker_limit = ~0U;

// How many personas may serve arenas at a time, but for an arena's first: one less than the threads
// that the program allows, as in the stock library. Where the program has set no limit, it is one
// less than the width, and at least one.
unsigned worker_limit() noexcept;
bool worker_limit_is_set() noexcept;

// Whether the program has allowed more workers than the crew has: it gets an OS thread for each.
bool workers_beyond_width() noexcept;

// The number of threads of an arena that asks for no number.
unsigned default_concurrency() noexcept;

// The smallest stack of a persona, in bytes; 0: the system's default.
std::size_t stack_size() noexcept;

bool terminates_on_exception() noexcept;

// Called when the scheduler is used: if there are task_scheduler_handles, it stays in use as long
// as there is one.
void handles_keep_scheduler() noexcept;
// Adds to the number of task_arenas that refer to an arena, which keep the scheduler in use.
void count_task_arena(int by) noexcept;

}  // namespace artel::onetbb
