// The table of ARTEL_STATS, printed when the process ends: what each worker has done. Only the
// worker writes its counters, so they cost a store.
#pragma once

namespace artel::sched {

class crew;

// Writes a table to stderr: one line per worker. Any thread; numbers of running workers may be
// slightly old.
void print_statistics(const crew& c) noexcept;

}  // namespace artel::sched
