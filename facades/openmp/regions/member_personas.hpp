// The personas that members with numbers above 0 run on, out of the process's pool; where the
// system gives no more threads the program ends with libgomp's message. The size of their stacks is
// OMP_STACKSIZE's.
#pragma once

#include "foreign/persona_pool.hpp"

namespace artel::openmp {

// As foreign::acquire_personas, all of them.
base::work* acquire_personas(unsigned count, const foreign::assignment& meanwhile = {}) noexcept;

// As foreign::acquire_persona.
fiber::fiber& acquire_persona(const foreign::assignment& a) noexcept;

}  // namespace artel::openmp
