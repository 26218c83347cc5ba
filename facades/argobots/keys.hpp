// Values that each work unit has of its own, by key. A unit's table is made when it first sets one.
//
// Not shared with the keys of Qthreads, whose rules are others: there only the owner sets a value,
// numbers of deleted keys come again, and a deleted key's destructor is not called any more. Here
// other units may set and get, and a value keeps the destructor of its key.
#pragma once

#include "thread.hpp"

namespace artel::argobots {

// Calls the destructors of what the unit has set, and frees its table.
void drop_keys(thread& t) noexcept;

}  // namespace artel::argobots
