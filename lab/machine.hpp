// What a result belongs to: processor, kernel, C library, and the system's settings for huge pages.
#pragma once

#include "lab/cell.hpp"

namespace artel::lab {

// {"identity": {...}, ...}: two runs may share cells when their identities are equal.
json describe_machine();

// Free and not promised to a mapping.
std::size_t free_huge_pages();

}  // namespace artel::lab
