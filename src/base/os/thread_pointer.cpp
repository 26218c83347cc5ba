// x86-64 FS base access. wrfsbase is emitted by hand, so that the library still loads on processors
// without it.
#include "base/os/thread_pointer.hpp"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace artel::base::os {
namespace {

constexpr unsigned long hwcap2_fsgsbase = 1UL << 1;  // Linux: arch/x86 HWCAP2_FSGSBASE

// Constant-initialised before any constructor may ask; getauxval reads memory only.
const bool fast = (::getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;

}  // namespace

thread_pointer read_thread_pointer() noexcept
{
    // The ABI keeps the thread pointer itself at offset 0 of the block it points to.
    thread_pointer value;
    asm volatile("movq %%fs:0, %0" : "=r"(value));
    return value;
}

// Not instrumented: between the write and the return nothing may touch the old TLS. (The stack
// protector may: its canary is the same in every TCB of a process.)
__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) void write_thread_pointer(
    thread_pointer value) noexcept
{
    if (fast) {
        asm volatile("wrfsbase %0" ::"r"(value) : "memory");
    } else {
        long result;
        asm volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_arch_prctl), "D"(ARCH_SET_FS), "S"(value)
                     : "rcx", "r11", "memory");
    }
}

}  // namespace artel::base::os
