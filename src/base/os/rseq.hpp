// Restartable sequences (Linux rseq(2)), which glibc 2.35 and newer register for every thread.
#pragma once

namespace artel::base::os {

// Takes the calling OS thread's registration back, for a thread whose TLS other OS threads will
// use. The kernel writes the current CPU number into the area of the thread that registered it:
// whoever reads it under borrowed TLS would see the owner's CPU, and allocators that build on it
// (tcmalloc) would corrupt per-CPU data. Unregistered, the field says so, and everybody falls back
// to system calls. Never fails visibly.
void unregister_rseq() noexcept;

}  // namespace artel::base::os
