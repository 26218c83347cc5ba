// See shared_memory.hpp.
#include "lab/shared_memory.hpp"

#include "lab/workload.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <sys/mman.h>

#ifndef MAP_HUGE_2MB
#define MAP_HUGE_2MB (21 << 26)
#endif

namespace artel::lab {

shared_memory::shared_memory(std::size_t bytes, page_kind pages)
{
    if (bytes == 0)
        return;
    const bool huge = pages == page_kind::huge;
    bytes_ = huge ? round_up(bytes, huge_page_bytes) : bytes;
    const int flags = MAP_SHARED | MAP_ANONYMOUS | (huge ? MAP_HUGETLB | MAP_HUGE_2MB : 0);
    data_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (data_ != MAP_FAILED)
        return;
    data_ = nullptr;
    if (huge)
        throw refused(
            fmt::format("mmap of {} huge pages of 2 MiB: {}; enable: sysctl -w vm.nr_hugepages={}",
                        bytes_ / huge_page_bytes, std::strerror(errno), bytes_ / huge_page_bytes));
    throw refused(fmt::format("mmap of {} bytes of shared memory: {} (ulimit -v?)", bytes_,
                              std::strerror(errno)));
}

shared_memory::~shared_memory()
{
    if (data_ != nullptr)
        ::munmap(data_, bytes_);
}

}  // namespace artel::lab
