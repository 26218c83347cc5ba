// omp_alloc and its family, and GOMP_alloc for the allocate clause. All memory spaces are ordinary
// memory. A header before each block says where its allocation begins and which allocator it is
// charged to, so blocks of any allocator can be freed and resized.
#include "abi/abi.hpp"
#include "linking/messages.hpp"
#include "team/team.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace artel::openmp {

namespace {

// Numbers of the OpenMP 5.1 interface (omp.h).
constexpr std::uintptr_t null_allocator = 0;
constexpr std::uintptr_t default_mem_alloc = 1;
// Below are the numbers of predefined allocators: the standard's, 1 to 8, and libomp's for memory
// that devices see, from 100 on; without devices all of them mean ordinary memory. Above are
// addresses.
constexpr std::uintptr_t last_predefined = 1023;
constexpr std::uintptr_t high_bandwidth_space = 3;
constexpr std::uintptr_t last_space = 4;
constexpr std::uintptr_t unlimited = UINTPTR_MAX;
constexpr std::uintptr_t default_value = UINTPTR_MAX;
enum key {
    sync_hint = 1,
    alignment = 2,
    access = 3,
    pool_size = 4,
    fallback = 5,
    fallback_data = 6,
    pinned = 7,
    partition = 8
};
enum fallback_value { to_default = 11, to_null = 12, to_abort = 13, to_allocator = 14 };

struct trait {
    int name;
    std::uintptr_t value;
};

struct allocator {
    std::size_t alignment = sizeof(void*);
    std::uintptr_t pool = unlimited;
    std::uintptr_t fallback = to_default;
    std::uintptr_t next = null_allocator;  // fallback to_allocator
    std::atomic<std::uintptr_t> used{0};
};

struct header {
    void* begin;               // malloc's pointer
    std::size_t charged;       // bytes taken from the pool
    std::size_t size;          // the requested size
    std::uintptr_t allocator;  // handle
};

allocator* made_by_program(std::uintptr_t handle) noexcept
{
    return handle > last_predefined ? reinterpret_cast<allocator*>(handle) : nullptr;
}

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

void* allocate(std::uintptr_t handle, std::size_t align, std::size_t bytes, bool zeroed) noexcept
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

void release(void* block) noexcept
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

// Whether the trait is allowed; stores its value in `a` if it has an effect here.
bool apply(const trait& t, allocator& a, bool& is_pinned) noexcept
{
    const bool is_default = t.value == default_value;
    switch (t.name) {
    case sync_hint: return is_default || (t.value >= 3 && t.value <= 6);
    case access: return is_default || (t.value >= 7 && t.value <= 10);
    case partition: return is_default || (t.value >= 15 && t.value <= 18);
    case alignment: a.alignment = is_default ? 1 : t.value; return std::has_single_bit(a.alignment);
    case pool_size: a.pool = is_default ? unlimited : t.value; return true;
    case fallback:
        a.fallback = is_default ? static_cast<std::uintptr_t>(to_default) : t.value;
        return a.fallback >= to_default && a.fallback <= to_allocator;
    case fallback_data: a.next = t.value; return true;
    case pinned: is_pinned = t.value == 1; return is_default || t.value <= 1;
    default: return false;
    }
}

}  // namespace

// Null for traits that we cannot honour: pinned memory and high-bandwidth memory, as in libgomp 12.
ARTEL_GOMP std::uintptr_t omp_init_allocator(std::uintptr_t space, int count, const trait* traits)
{
    if (space > last_space || space == high_bandwidth_space) {
        return null_allocator;
    }
    auto* const a = new (std::nothrow) allocator;
    bool is_pinned = false;
    bool good = a != nullptr;
    for (int i = 0; good && i < count; ++i) {
        good = apply(traits[i], *a, is_pinned);
    }
    if (!good || is_pinned) {
        delete a;
        return null_allocator;
    }
    return reinterpret_cast<std::uintptr_t>(a);
}

ARTEL_GOMP void omp_destroy_allocator(std::uintptr_t handle)
{
    delete made_by_program(handle);
}

ARTEL_GOMP void omp_set_default_allocator(std::uintptr_t handle)
{
    this_member().current->icvs.allocator = handle != null_allocator ? handle : default_mem_alloc;
}

ARTEL_GOMP std::uintptr_t omp_get_default_allocator()
{
    return this_member().current->icvs.allocator;
}

ARTEL_GOMP void* omp_alloc(std::size_t bytes, std::uintptr_t handle)
{
    return allocate(handle, 1, bytes, false);
}

ARTEL_GOMP void* omp_aligned_alloc(std::size_t align, std::size_t bytes, std::uintptr_t handle)
{
    return allocate(handle, align, bytes, false);
}

ARTEL_GOMP void* omp_aligned_calloc(std::size_t align, std::size_t count, std::size_t bytes,
                                    std::uintptr_t handle)
{
    std::size_t total = 0;
    // SIZE_MAX is too much for any allocator, whose fallback then decides.
    return allocate(handle, align, __builtin_mul_overflow(count, bytes, &total) ? SIZE_MAX : total,
                    true);
}

ARTEL_GOMP void* omp_calloc(std::size_t count, std::size_t bytes, std::uintptr_t handle)
{
    return omp_aligned_calloc(1, count, bytes, handle);
}

ARTEL_GOMP void omp_free(void* block, std::uintptr_t /*handle*/)
{
    release(block);
}

ARTEL_GOMP void* omp_realloc(void* block, std::size_t bytes, std::uintptr_t handle,
                             std::uintptr_t /*free_handle*/)
{
    if (block == nullptr) {
        return allocate(handle, 1, bytes, false);
    }
    if (bytes == 0) {
        release(block);
        return nullptr;
    }
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
        moved = allocate(handle, 1, bytes, false);
    }
    if (moved != nullptr) {
        std::memcpy(moved, block, kept);
        release(block);
    }
    return moved;
}

ARTEL_GOMP void* GOMP_alloc(std::size_t align, std::size_t bytes, std::uintptr_t handle)
{
    void* const block = allocate(handle, align, std::max<std::size_t>(bytes, 1), false);
    if (block == nullptr) {
        give_up("Out of memory allocating {} bytes", bytes);
    }
    return block;
}

ARTEL_GOMP void GOMP_free(void* block, std::uintptr_t /*handle*/)
{
    release(block);
}

ARTEL_GOMP std::intptr_t omp_init_allocator_(const std::uintptr_t* space, const std::int32_t* count,
                                             const trait* traits)
{
    return static_cast<std::intptr_t>(omp_init_allocator(*space, *count, traits));
}

ARTEL_GOMP std::intptr_t omp_init_allocator_8_(const std::uintptr_t* space,
                                               const std::int64_t* count, const trait* traits)
{
    return static_cast<std::intptr_t>(omp_init_allocator(*space, static_cast<int>(*count), traits));
}

ARTEL_GOMP void omp_destroy_allocator_(const std::uintptr_t* handle)
{
    omp_destroy_allocator(*handle);
}

ARTEL_GOMP void omp_set_default_allocator_(const std::uintptr_t* handle)
{
    omp_set_default_allocator(*handle);
}

ARTEL_GOMP std::intptr_t omp_get_default_allocator_()
{
    return static_cast<std::intptr_t>(omp_get_default_allocator());
}

}  // namespace artel::openmp
