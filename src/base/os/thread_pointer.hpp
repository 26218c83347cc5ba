// The thread pointer: the register that thread-local storage is addressed through (FS base on
// x86-64). Writing it gives the calling OS thread another thread's TLS; only fiber/switch.hpp does
// that, see docs/decisions/0001-personas.md.
#pragma once

#include <cstdint>

namespace artel::base::os {

using thread_pointer = std::uintptr_t;

// The caller's thread pointer. Never fails.
thread_pointer read_thread_pointer() noexcept;

// Replaces it. From here on every thread_local, errno and pthread_self() of this OS thread are
// those of the owner of `value`, which must be a live (parked) pthread's thread pointer that no
// other OS thread is using. wrfsbase where the kernel allows it (HWCAP2_FSGSBASE), else arch_prctl.
void write_thread_pointer(thread_pointer value) noexcept;

}  // namespace artel::base::os
