// What ABT_info_print_* write.
#pragma once

#include "handles.hpp"

#include <cstdio>

namespace artel::argobots {

void print_config(std::FILE* to) noexcept;
void print_stack(std::FILE* to, const thread& t) noexcept;
// Called by streams when they check events: serves ABT_info_trigger_print_all_thread_stacks.
void print_asked_stacks() noexcept;
void watch_for_stack_requests() noexcept;
// Those of the parent, in the child of a fork.
void forget_stack_requests_after_fork() noexcept;

}  // namespace artel::argobots
