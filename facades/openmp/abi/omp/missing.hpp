// The body of exported names that are not implemented. If such a name were not exported it would
// bind to another OpenMP runtime in the process, and mix two teams, which fails later and far away.
#pragma once

namespace artel::openmp {

// Prints "libgomp-artel: <name> is not implemented" on stderr and aborts.
[[noreturn]] void missing(const char* name) noexcept;

}  // namespace artel::openmp
