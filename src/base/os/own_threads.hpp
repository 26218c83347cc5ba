// How many OS threads of this process are ours: workers, the monitor, the timekeeper, parked personas. None of them ever ends.
#pragma once

#include <atomic>

namespace artel::base::os {

// relaxed, by all: a number that is only compared. Set back in the child of a fork.
inline std::atomic<int> own_threads{0};

}  // namespace artel::base::os
