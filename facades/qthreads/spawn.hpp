// Creation of qthreads; the C functions are in fork.cpp.
#pragma once

#include "runtime.hpp"

namespace artel::qthreads {

// Implements qthread_spawn. `preconditions`: pointers to words or, with the flag, to syncvars;
// copied.
int spawn(task_function f, const void* argument, std::size_t argument_size, void* result,
          std::size_t count, void** preconditions, shepherd_id target, unsigned flags) noexcept;

// The qthread whose precondition this waiter is; nullptr if it is another waiter.
const task* waiting_to_begin(const artel::detail::feb_waiter& w) noexcept;

}  // namespace artel::qthreads
