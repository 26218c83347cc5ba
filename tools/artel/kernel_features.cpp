// See kernel_features.hpp. Each feature is tried, and not derived from a version number: kernels
// may be patched, and processes confined.
#include "artel/kernel_features.hpp"

#include <cstddef>
#include <linux/membarrier.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace artel::tool {

namespace {

bool has_user_fs_base()
{
#if defined(__x86_64__)
    constexpr unsigned long hwcap2_fsgsbase = 1ul << 1;
    return (::getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;
#else
    return true;  // the thread pointer is an ordinary register elsewhere
#endif
}

bool has_expedited_membarrier()
{
    const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
}

bool has_guard_install()
{
    constexpr int madv_guard_install = 102;  // Linux 6.13; not in Debian 12's headers
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const memory = ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                -1, 0);
    if (memory == MAP_FAILED)
        return false;
    const bool installed = ::madvise(memory, page, madv_guard_install) == 0;
    ::munmap(memory, page);
    return installed;
}

}  // namespace

std::vector<kernel_feature> kernel_features()
{
    return {
        {"fsgsbase", has_user_fs_base(), "switching thread-local storage without a system call"},
        {"membarrier", has_expedited_membarrier(),
         "moving the cost of a fence to the side that needs it rarely"},
        {"guard_pages", has_guard_install(),
         "guarding stacks without splitting mappings (else mprotect)"},
    };
}

std::string kernel_version()
{
    utsname name{};
    if (::uname(&name) != 0)
        return "unknown";
    return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

}  // namespace artel::tool
