// What ARTEL_STATS prints when the process ends: what each worker has done. Counters are written by
// their worker only, so they cost a store.
#pragma once

namespace artel::sched {

class crew;

// Writes a table on stderr: one line per worker. Any thread; numbers of workers that are running
// are a moment old.
void print_statistics(const crew& c) noexcept;

}  // namespace artel::sched
