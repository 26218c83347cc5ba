// What stands behind exported names that are not implemented yet.
#pragma once

namespace artel::qthreads {

// Prints "libqthread-artel: <name> is not implemented" on stderr and aborts.
[[noreturn]] void missing(const char* name) noexcept;

}  // namespace artel::qthreads
