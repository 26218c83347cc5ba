// How many OS threads of this process are ours: workers, the monitor, the timekeeper, parked
// personas.
#pragma once

#include <atomic>

namespace artel::base::os {

// relaxed, by all: a number that is only compared. Set back in the child of a fork.
inline std::atomic<int> own_threads{0};

// Starts a thread that runs main(argument) for ever, takes none of the program's signals, and needs
// little stack (128 KiB); counts it. False when the system gives none. Any thread.
bool start_service_thread(void* (*main)(void*), void* argument) noexcept;

}  // namespace artel::base::os
