// Unit-local values, by key. The table of a unit is made when it first sets a value.
//
// Qthreads' keys have an implementation of their own, because their rules differ: there only the
// owner sets a value, numbers of deleted keys are reused, and the destructor of a deleted key is
// not called any more. Here other units may set and get values, and a value keeps the destructor of
// its key.
#pragma once

#include "thread.hpp"

namespace artel::argobots {

// Calls the destructors of the unit's values, and frees its table.
void drop_keys(thread& t) noexcept;

}  // namespace artel::argobots
