// The machine to which a result belongs: processor, kernel, C library, and the system's settings
// for huge pages.
#pragma once

#include "lab/cell.hpp"

namespace artel::lab {

// {"identity": {...}, ...}: a run may use cells of another with an equal identity.
json describe_machine();

// Those that are free and not reserved for a mapping.
std::size_t free_huge_pages();

}  // namespace artel::lab
