// kmp_malloc and its kin, which are malloc's, and the __kmpc_ names of the OpenMP allocators, which
// gcc's programs call by their omp_ names.
#include "kmp.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace artel::openmp {

extern "C" {
void* omp_alloc(std::size_t, std::uintptr_t);
void* omp_aligned_alloc(std::size_t, std::size_t, std::uintptr_t);
void* omp_calloc(std::size_t, std::size_t, std::uintptr_t);
void* omp_realloc(void*, std::size_t, std::uintptr_t, std::uintptr_t);
void omp_free(void*, std::uintptr_t);
std::uintptr_t omp_init_allocator(std::uintptr_t, int, const void*);
void omp_destroy_allocator(std::uintptr_t);
void omp_set_default_allocator(std::uintptr_t);
std::uintptr_t omp_get_default_allocator();
}

namespace kmp {

ARTEL_KMP void* __kmpc_alloc(std::int32_t, std::size_t bytes, std::uintptr_t allocator)
{
    return omp_alloc(bytes, allocator);
}

ARTEL_KMP void* __kmpc_aligned_alloc(std::int32_t, std::size_t alignment, std::size_t bytes,
                                     std::uintptr_t allocator)
{
    return omp_aligned_alloc(alignment, bytes, allocator);
}

ARTEL_KMP void* __kmpc_calloc(std::int32_t, std::size_t count, std::size_t bytes,
                              std::uintptr_t allocator)
{
    return omp_calloc(count, bytes, allocator);
}

ARTEL_KMP void* __kmpc_realloc(std::int32_t, void* block, std::size_t bytes,
                               std::uintptr_t allocator, std::uintptr_t free_allocator)
{
    return omp_realloc(block, bytes, allocator, free_allocator);
}

ARTEL_KMP void __kmpc_free(std::int32_t, void* block, std::uintptr_t allocator)
{
    omp_free(block, allocator);
}

ARTEL_KMP std::uintptr_t __kmpc_init_allocator(std::int32_t, std::uintptr_t space, int count,
                                               const void* traits)
{
    return omp_init_allocator(space, count, traits);
}

ARTEL_KMP void __kmpc_destroy_allocator(std::int32_t, std::uintptr_t allocator)
{
    omp_destroy_allocator(allocator);
}

ARTEL_KMP void __kmpc_set_default_allocator(std::int32_t, std::uintptr_t allocator)
{
    omp_set_default_allocator(allocator);
}

ARTEL_KMP std::uintptr_t __kmpc_get_default_allocator(std::int32_t)
{
    return omp_get_default_allocator();
}

ARTEL_KMP void* kmp_malloc(std::size_t bytes)
{
    return std::malloc(bytes);
}

// Null for an alignment that is no power of two.
ARTEL_KMP void* kmp_aligned_malloc(std::size_t bytes, std::size_t alignment)
{
    void* block = nullptr;
    if (!std::has_single_bit(alignment) ||
        ::posix_memalign(&block, std::max(alignment, sizeof(void*)), bytes) != 0) {
        return nullptr;
    }
    return block;
}

ARTEL_KMP void* kmp_calloc(std::size_t count, std::size_t bytes)
{
    return std::calloc(count, bytes);
}

ARTEL_KMP void* kmp_realloc(void* block, std::size_t bytes)
{
    return std::realloc(block, bytes);
}

ARTEL_KMP void kmp_free(void* block)
{
    std::free(block);
}

// Fortran's arguments are references.
ARTEL_KMP void* kmp_malloc_(const std::size_t* bytes)
{
    return kmp_malloc(*bytes);
}

ARTEL_KMP void* kmp_aligned_malloc_(const std::size_t* bytes, const std::size_t* alignment)
{
    return kmp_aligned_malloc(*bytes, *alignment);
}

ARTEL_KMP void* kmp_calloc_(const std::size_t* count, const std::size_t* bytes)
{
    return kmp_calloc(*count, *bytes);
}

ARTEL_KMP void* kmp_realloc_(void** block, const std::size_t* bytes)
{
    return kmp_realloc(*block, *bytes);
}

ARTEL_KMP void kmp_free_(void** block)
{
    kmp_free(*block);
}

}  // namespace kmp
}  // namespace artel::openmp
