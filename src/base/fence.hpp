// A full fence after an operation that already is a fence on some processors.
#pragma once

#include "base/cpu.hpp"

namespace artel::base {

#if !defined(ARTEL_MODEL)  // base/machine_model.hpp has its own
// As full_fence(), right after a seq_cst read-modify-write, which on x86 is such a fence itself. By
// C++, and on other processors, that orders only other seq_cst accesses after it.
inline void fence_after_change() noexcept
{
#if defined(__x86_64__)
    asm volatile("" ::: "memory");
#else
    // pairs with what each caller names.
    full_fence();
#endif
}
#endif

}  // namespace artel::base
