// Values that each work unit has of its own, by key. A unit's table is made when it first sets one.
#pragma once

#include "thread.hpp"

namespace artel::argobots {

// Calls the destructors of what the unit has set, and frees its table.
void drop_keys(thread& t) noexcept;

}  // namespace artel::argobots
