// The allocator that OMP_ALLOCATOR names.
#pragma once

#include <string>

namespace cp {

// The handle of the allocator that the text, in lower case, names; 0 (omp_null_allocator) if it
// names none.
unsigned long allocator_named(const std::string& text);
std::string name_of_allocator(unsigned long allocator);

}  // namespace cp
