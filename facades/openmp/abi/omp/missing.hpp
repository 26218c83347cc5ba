// What stands behind exported names that are not implemented yet: exporting nothing would let such
// a name bind to another OpenMP runtime in the process and mix two teams, which fails later and far
// away.
#pragma once

namespace artel::openmp {

// Prints "libgomp-artel: <name> is not implemented" on stderr and aborts.
[[noreturn]] void missing(const char* name) noexcept;

}  // namespace artel::openmp
