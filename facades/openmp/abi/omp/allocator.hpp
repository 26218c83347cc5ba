// Allocators of omp_init_allocator, and the blocks that they allocate. All memory spaces are
// ordinary memory. A header before each block says where its allocation begins and which allocator
// it is charged to, so blocks of any allocator can be freed and resized.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::openmp {

// Numbers of the OpenMP 5.1 interface (omp.h).
inline constexpr std::uintptr_t null_allocator = 0;
inline constexpr std::uintptr_t default_mem_alloc = 1;
// Below are the numbers of predefined allocators: the standard's, 1 to 8, and libomp's for memory
// that devices see, from 100 on; without devices all of them mean ordinary memory. Above are
// addresses.
inline constexpr std::uintptr_t last_predefined = 1023;
inline constexpr std::uintptr_t unlimited = UINTPTR_MAX;
enum fallback_value { to_default = 11, to_null = 12, to_abort = 13, to_allocator = 14 };

struct allocator {
    std::size_t alignment = sizeof(void*);
    std::uintptr_t pool = unlimited;
    std::uintptr_t fallback = to_default;
    std::uintptr_t next = null_allocator;  // fallback to_allocator
    std::atomic<std::uintptr_t> used{0};
};

// nullptr: predefined.
inline allocator* made_by_program(std::uintptr_t handle) noexcept
{
    return handle > last_predefined ? reinterpret_cast<allocator*>(handle) : nullptr;
}

// Memory of the allocator, or of those that it falls back to; nullptr when there is none, and for 0
// bytes. Ends the program where the allocator says so.
void* allocate_block(std::uintptr_t handle, std::size_t align, std::size_t bytes,
                     bool zeroed) noexcept;

// A block of another size with the same contents; null_allocator: of the same allocator. nullptr,
// and the block stays, when there is no memory.
void* reallocate_block(void* block, std::size_t bytes, std::uintptr_t handle) noexcept;

// nullptr is ignored.
void release_block(void* block) noexcept;

}  // namespace artel::openmp
