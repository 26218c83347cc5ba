// An allocator with a limit on its pool counts the bytes that it has given out; one whose pool is
// full, or that gets no memory, does what its fallback trait says.
#include "abi/omp/allocator.hpp"

#include "linking/messages.hpp"
#include "team/team.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace artel::openmp {

namespace {

struct header {
    void* begin;               // malloc's pointer
    std::size_t charged;       // bytes taken from the pool
    std::size_t size;          // the requested size
    std::uintptr_t allocator;  // handle
};

// relaxed, both: a sum that guards nothing else.
bool charge(allocator& a, std::size_t bytes) noexcept
{
    std::uintptr_t used = a.used.load(std::memory_order_relaxed);
    do {
        if (bytes > a.pool - used) {
            return false;
        }
    } while (!a.used.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
}

void discharge(allocator& a, std::size_t bytes) noexcept
{
    a.used.fetch_sub(bytes, std::memory_order_relaxed);  // relaxed: as in charge
}

header& header_of(void* block) noexcept
{
    return static_cast<header*>(block)[-1];
}

// One attempt with one allocator; nullptr when it has no memory. `replaced` bytes of its pool are
// already charged for a block that the new one replaces; on success they count for the new one.
void* try_allocate(std::uintptr_t handle, std::size_t align, std::size_t bytes, bool zeroed,
                   std::size_t replaced = 0) noexcept
{
    allocator* const a = made_by_program(handle);
    align = std::max({align, sizeof(void*), a != nullptr ? a->alignment : 1});
    const std::size_t slack = align > alignof(std::max_align_t) ? align - alignof(std::max_align_t)
                                                                : 0;
    std::size_t total = 0;
    if (__builtin_add_overflow(bytes, sizeof(header) + slack, &total)) {
        return nullptr;
    }
    const std::size_t more = total > replaced ? total - replaced : 0;
    if (a != nullptr && !charge(*a, more)) {
        return nullptr;
    }
    void* const begin = zeroed ? std::calloc(1, total) : std::malloc(total);
    if (begin == nullptr) {
        if (a != nullptr) {
            discharge(*a, more);
        }
        return nullptr;
    }
    if (a != nullptr && replaced > total) {
        discharge(*a, replaced - total);
    }
    const auto first = reinterpret_cast<std::uintptr_t>(begin) + sizeof(header);
    void* const block = reinterpret_cast<void*>((first + align - 1) / align * align);
    new (&header_of(block)) header{begin, total, bytes, handle};
    return block;
}

}  // namespace

void* allocate_block(std::uintptr_t handle, std::size_t align, std::size_t bytes,
                     bool zeroed) noexcept
{
    if (bytes == 0) {
        return nullptr;
    }
    if (handle == null_allocator) {
        handle = this_member().current->icvs.allocator;
    }
    for (;;) {
        if (void* block = try_allocate(handle, align, bytes, zeroed)) {
            return block;
        }
        const allocator* const a = made_by_program(handle);
        switch (a != nullptr ? a->fallback : static_cast<std::uintptr_t>(to_null)) {
        case to_default: handle = default_mem_alloc; break;
        case to_allocator: handle = a->next; break;
        case to_abort: give_up("Out of memory allocating {} bytes", bytes);
        default: return nullptr;
        }
    }
}

void release_block(void* block) noexcept
{
    if (block == nullptr) {
        return;
    }
    const header h = header_of(block);
    if (allocator* const a = made_by_program(h.allocator)) {
        discharge(*a, h.charged);
    }
    std::free(h.begin);
}

void* reallocate_block(void* block, std::size_t bytes, std::uintptr_t handle) noexcept
{
    header& old = header_of(block);
    if (handle == null_allocator) {
        handle = old.allocator;
    }
    const std::size_t kept = std::min(bytes, old.size);
    void* moved = nullptr;
    if (handle == old.allocator) {
        moved = try_allocate(handle, 1, bytes, false, old.charged);
        if (moved != nullptr) {
            old.allocator = null_allocator;  // its charge has moved to the new block
        }
    }
    if (moved == nullptr) {
        moved = allocate_block(handle, 1, bytes, false);
    }
    if (moved != nullptr) {
        std::memcpy(moved, block, kept);
        release_block(block);
    }
    return moved;
}

}  // namespace artel::openmp
