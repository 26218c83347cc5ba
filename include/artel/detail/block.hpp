// Memory for objects that outlive the call that makes them (light threads, tasks of a group): small
// blocks from per-worker caches.
#pragma once

#include <artel/export.hpp>
#include <cstddef>
#include <new>
#include <utility>

namespace artel::detail {

inline constexpr std::size_t block_size = 128;
inline constexpr std::size_t block_alignment = 64;

// `size` bytes aligned to block_alignment: from the caller's worker's cache when they fit into
// block_size, else from operator new. Throws std::bad_alloc. About 2 ns from the cache. Any thread
// may free.
ARTEL_API void* allocate_block(std::size_t size);
ARTEL_API void free_block(void* block, std::size_t size) noexcept;

// A block of that type. Throws std::bad_alloc, or what the constructor throws.
template <class Block, class... Given>
Block* make_in_block(Given&&... given)
{
    static_assert(alignof(Block) <= block_alignment);
    void* const memory = allocate_block(sizeof(Block));
    try {
        return new (memory) Block(std::forward<Given>(given)...);
    } catch (...) {
        free_block(memory, sizeof(Block));
        throw;
    }
}

}  // namespace artel::detail
