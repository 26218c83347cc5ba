// omp_alloc and its family, and GOMP_alloc for the allocate clause (allocator.hpp).
#include "abi/abi.hpp"
#include "abi/omp/allocator.hpp"
#include "linking/messages.hpp"
#include "team/team.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>

namespace artel::openmp {

namespace {

// Numbers of the OpenMP 5.1 interface (omp.h).
constexpr std::uintptr_t high_bandwidth_space = 3;
constexpr std::uintptr_t last_space = 4;
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
struct trait {
    int name;
    std::uintptr_t value;
};

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
    return allocate_block(handle, 1, bytes, false);
}

ARTEL_GOMP void* omp_aligned_alloc(std::size_t align, std::size_t bytes, std::uintptr_t handle)
{
    return allocate_block(handle, align, bytes, false);
}

ARTEL_GOMP void* omp_aligned_calloc(std::size_t align, std::size_t count, std::size_t bytes,
                                    std::uintptr_t handle)
{
    std::size_t total = 0;
    // SIZE_MAX is too much for any allocator, whose fallback then decides.
    return allocate_block(handle, align,
                          __builtin_mul_overflow(count, bytes, &total) ? SIZE_MAX : total, true);
}

ARTEL_GOMP void* omp_calloc(std::size_t count, std::size_t bytes, std::uintptr_t handle)
{
    return omp_aligned_calloc(1, count, bytes, handle);
}

ARTEL_GOMP void omp_free(void* block, std::uintptr_t /*handle*/)
{
    release_block(block);
}

ARTEL_GOMP void* omp_realloc(void* block, std::size_t bytes, std::uintptr_t handle,
                             std::uintptr_t /*free_handle*/)
{
    if (block == nullptr) {
        return allocate_block(handle, 1, bytes, false);
    }
    if (bytes == 0) {
        release_block(block);
        return nullptr;
    }
    return reallocate_block(block, bytes, handle);
}

ARTEL_GOMP void* GOMP_alloc(std::size_t align, std::size_t bytes, std::uintptr_t handle)
{
    void* const block = allocate_block(handle, align, std::max<std::size_t>(bytes, 1), false);
    if (block == nullptr) {
        give_up("Out of memory allocating {} bytes", bytes);
    }
    return block;
}

ARTEL_GOMP void GOMP_free(void* block, std::uintptr_t /*handle*/)
{
    release_block(block);
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
