// Personas for members with numbers above 0, from the process's pool, with stacks of OMP_STACKSIZE.
// When the system gives no more threads the program ends with libgomp's message.
#pragma once

#include "foreign/persona_pool.hpp"

#include <cstddef>

namespace artel::openmp {

// foreign::acquire_personas, which never returns fewer here.
base::work* acquire_personas(unsigned count, const foreign::assignment& meanwhile = {}) noexcept;

// foreign::acquire_persona, which never fails here.
fiber::fiber& acquire_persona(const foreign::assignment& a) noexcept;

// The stack of members whose personas are made from now on, in bytes; 0: as OMP_STACKSIZE says.
void set_member_stack(std::size_t bytes) noexcept;
std::size_t member_stack() noexcept;  // 0: the system's default

}  // namespace artel::openmp
