// Making qthreads; the C functions are in fork.cpp.
#pragma once

#include "runtime.hpp"

namespace artel::qthreads {

// What qthread_spawn does. `preconditions`: pointers to words, or to syncvars by the flag; copied.
int spawn(task_function f, const void* argument, std::size_t argument_size, void* result,
          std::size_t count, void** preconditions, shepherd_id target, unsigned flags) noexcept;

// The qthread that waits there to begin; nullptr if something else stands there.
const task* waiting_to_begin(const artel::detail::feb_waiter& w) noexcept;

}  // namespace artel::qthreads
