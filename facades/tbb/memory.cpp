// Memory for containers and filters is malloc's. A program that is linked to tbbmalloc uses it
// independently of this.
#include "base/cpu.hpp"
#include "small_objects.hpp"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace tbb::detail::r1 {

// May throw std::bad_alloc.
void* allocate_memory(std::size_t size)
{
    void* const memory = std::malloc(size != 0 ? size : 1);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

void deallocate_memory(void* memory)
{
    std::free(memory);
}

bool is_tbbmalloc_used()
{
    return false;
}

// May throw std::bad_alloc.
void* cache_aligned_allocate(std::size_t size)
{
    return artel::onetbb::allocate_lines(size);
}

void cache_aligned_deallocate(void* memory)
{
    std::free(memory);
}

std::size_t cache_line_size()
{
    return artel::base::cache_line;
}

// Pages for several NUMA nodes; the kernel places them by first touch. nullptr without memory, and
// for wrong arguments: a size of 0, a list of nodes without its length or the other way round,
// chunks that are no whole pages.
void* allocate_interleaved(std::size_t size, const int* nodes, std::size_t node_count,
                           std::size_t bytes_per_chunk)
{
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (size == 0 || (nodes == nullptr) != (node_count == 0) || bytes_per_chunk % page != 0) {
        return nullptr;
    }
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

void deallocate_interleaved(void* memory, std::size_t size)
{
    if (memory != nullptr) {
        ::munmap(memory, size);
    }
}

}  // namespace tbb::detail::r1
