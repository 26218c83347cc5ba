// Personas for members with numbers above 0, from the process's pool, with stacks of OMP_STACKSIZE.
// When the system gives no more threads the program ends with libgomp's message.
#pragma once

#include "foreign/persona_pool.hpp"

namespace artel::openmp {

// foreign::acquire_personas, which never returns fewer here.
base::work* acquire_personas(unsigned count, const foreign::assignment& meanwhile = {}) noexcept;

// foreign::acquire_persona, which never fails here.
fiber::fiber& acquire_persona(const foreign::assignment& a) noexcept;

}  // namespace artel::openmp
