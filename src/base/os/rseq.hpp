// Restartable sequences (Linux rseq(2)), which glibc 2.35 and newer register for every thread.
#pragma once

#include "base/os/thread_pointer.hpp"

namespace artel::base::os {

// Unregisters the calling OS thread, which was registered under that thread pointer. Called when
// other OS threads will use its TLS, or its stack may be unmapped. The kernel writes the current
// CPU number into the area of the thread that registered it: code that reads it under borrowed TLS
// would get the owner's CPU, and allocators that build on it (tcmalloc) would corrupt per-CPU data.
// Without registration the field says so, and all readers fall back to system calls. Errors are
// ignored.
void unregister_rseq(thread_pointer of) noexcept;

}  // namespace artel::base::os
