// Memory for tasks, in blocks of up to 256 bytes. Each thread allocates from a pool of its own;
// blocks that other threads free go to a separate list of that pool. When a thread ends, its pool
// goes with all of its memory to the next thread that needs one, because blocks of it may still be
// in use. Larger objects come from malloc.
#pragma once

#include "abi.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace artel::onetbb {

class small_pool : public abi::d1::small_object_pool {
public:
    static constexpr std::size_t granule = 64;
    static constexpr std::size_t largest = 256;

    // Called by its thread. May throw std::bad_alloc.
    void* allocate(std::size_t size)
    {
        const std::size_t kind = (size - 1) / granule;
        block* const b = own_[kind];
        if (b == nullptr) [[unlikely]] {
            return more(kind);
        }
        own_[kind] = b->next;
        return b;
    }
    // These free a block: the first is for the pool's thread, the second for any other.
    void give_back(void* memory, std::size_t size) noexcept
    {
        const std::size_t kind = (size - 1) / granule;
        own_[kind] = new (memory) block{own_[kind]};
    }
    void return_from_outside(void* memory, std::size_t size) noexcept;

    // A pool without a thread, or a new one. May throw std::bad_alloc.
    static small_pool& acquire();
    // Called by the pool's thread, which does not use it afterwards.
    static void release(small_pool& p) noexcept;

private:
    struct block {
        block* next;
    };
    void* more(std::size_t kind);

    std::array<block*, largest / granule> own_{};
    char* rest_ = nullptr;  // of the newest slab
    char* end_ = nullptr;
    small_pool* next_ = nullptr;  // in the list of those without a thread
    alignas(128) std::array<std::atomic<block*>, largest / granule> returned_{};
};

// Memory that begins at a cache line; never nullptr. May throw std::bad_alloc.
void* allocate_lines(std::size_t size);

}  // namespace artel::onetbb
