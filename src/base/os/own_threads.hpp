// The number of OS threads of this process that belong to Artel: workers, the monitor, the
// alarm thread, parked personas.
#pragma once

#include <atomic>

namespace artel::base::os {

// relaxed, all accesses: a number that is only compared. Reset in the child of a fork.
inline std::atomic<int> own_threads{0};

// Starts a thread that runs main(argument), gets none of the program's signals, and needs little
// stack (128 KiB beside its thread-local variables); counts it. A `main` that returns has counted
// it out. False when the system gives none. Any thread.
bool start_service_thread(void* (*main)(void*), void* argument) noexcept;

}  // namespace artel::base::os
