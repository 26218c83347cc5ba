// Allocators: memory from malloc, with the alignment, pool size and fallback of the traits. A
// header in front of each block names its allocator.
#include "interface.hpp"
#include "team.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace cp;

namespace {

struct allocator {
    std::size_t alignment = 1;
    std::size_t limit = SIZE_MAX;
    omp_alloctrait_value_t fallback = omp_atv_default_mem_fb;
    omp_allocator_handle_t next = omp_null_allocator;
    std::atomic<std::size_t> used{0};
};

struct header {
    void* memory;
    std::size_t bytes;
    std::size_t taken;  // bytes of the allocator's pool, including header and alignment
    omp_allocator_handle_t from;
};

allocator* made(omp_allocator_handle_t h)
{
    const auto n = static_cast<std::uintptr_t>(h);
    return n > omp_thread_mem_alloc ? reinterpret_cast<allocator*>(n) : nullptr;
}

bool take(allocator& a, std::size_t bytes)
{
    // relaxed: a count only.
    std::size_t used = a.used.load(std::memory_order_relaxed);
    do {
        if (bytes > a.limit || used > a.limit - bytes) {
            return false;
        }
    } while (!a.used.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
}

omp_allocator_handle_t chosen(omp_allocator_handle_t h)
{
    return h != omp_null_allocator ? h : omp_get_default_allocator();
}

void* get(std::size_t alignment, std::size_t bytes, omp_allocator_handle_t from)
{
    if (bytes == 0) {
        return nullptr;
    }
    from = chosen(from);
    allocator* const a = made(from);
    const std::size_t edge = std::max(
        {alignment, a != nullptr ? a->alignment : 1, std::size_t{16}});
    const std::size_t all = bytes + edge + sizeof(header);
    void* memory = nullptr;
    if (all > bytes && (a == nullptr || take(*a, all))) {
        memory = std::malloc(all);
        if (memory != nullptr) {
            auto place = reinterpret_cast<std::uintptr_t>(memory) + sizeof(header);
            place = (place + edge - 1) / edge * edge;
            *(reinterpret_cast<header*>(place) - 1) = {memory, bytes, all, from};
            return reinterpret_cast<void*>(place);
        }
        if (a != nullptr) {
            a->used.fetch_sub(all, std::memory_order_relaxed);  // relaxed: a count only
        }
    }
    switch (a != nullptr ? a->fallback : omp_atv_null_fb) {
    case omp_atv_default_mem_fb: return get(edge, bytes, omp_default_mem_alloc);
    case omp_atv_allocator_fb: return get(edge, bytes, a->next);
    case omp_atv_abort_fb:
        fail("no memory for " + std::to_string(bytes) + " bytes of an allocator");
    default: return nullptr;
    }
}

void* zeroed(void* memory, std::size_t bytes)
{
    return memory != nullptr ? std::memset(memory, 0, bytes) : nullptr;
}

// The product; 0 if it is too large.
std::size_t times(std::size_t n, std::size_t bytes)
{
    std::size_t all = 0;
    return __builtin_mul_overflow(n, bytes, &all) ? SIZE_MAX : all;
}

}  // namespace

extern "C" {

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t, int n,
                                          const omp_alloctrait_t* traits)
{
    auto* const a = new allocator;
    for (int i = 0; i < n; ++i) {
        const std::size_t value = traits[i].value;
        const bool standard = value == static_cast<std::size_t>(omp_atv_default);
        bool good = true;
        switch (traits[i].key) {
        case omp_atk_alignment:
            a->alignment = standard ? 1 : value;
            good = value != 0 && (standard || (value & (value - 1)) == 0);
            break;
        case omp_atk_pool_size: a->limit = standard ? SIZE_MAX : value; break;
        case omp_atk_fallback:
            a->fallback = standard ? omp_atv_default_mem_fb
                                   : static_cast<omp_alloctrait_value_t>(value);
            good = a->fallback >= omp_atv_default_mem_fb && a->fallback <= omp_atv_allocator_fb;
            break;
        case omp_atk_fb_data: a->next = static_cast<omp_allocator_handle_t>(value); break;
        case omp_atk_pinned: good = value != omp_atv_true; break;
        default: break;
        }
        if (!good) {
            delete a;
            return omp_null_allocator;
        }
    }
    return static_cast<omp_allocator_handle_t>(reinterpret_cast<std::uintptr_t>(a));
}
void omp_destroy_allocator(omp_allocator_handle_t h)
{
    delete made(h);
}
void omp_set_default_allocator(omp_allocator_handle_t h)
{
    current()->now->settings.allocator = h != omp_null_allocator ? h : omp_default_mem_alloc;
}
omp_allocator_handle_t omp_get_default_allocator(void)
{
    return static_cast<omp_allocator_handle_t>(current()->now->settings.allocator);
}
void* omp_aligned_alloc(size_t alignment, size_t bytes, omp_allocator_handle_t h)
{
    return get(alignment, bytes, h);
}
void* omp_alloc(size_t bytes, omp_allocator_handle_t h)
{
    return get(1, bytes, h);
}
void* omp_aligned_calloc(size_t alignment, size_t n, size_t bytes, omp_allocator_handle_t h)
{
    return zeroed(get(alignment, times(n, bytes), h), n * bytes);
}
void* omp_calloc(size_t n, size_t bytes, omp_allocator_handle_t h)
{
    return omp_aligned_calloc(1, n, bytes, h);
}
void omp_free(void* block, omp_allocator_handle_t)
{
    if (block == nullptr) {
        return;
    }
    const header h = *(static_cast<header*>(block) - 1);
    if (allocator* const a = made(h.from); a != nullptr) {
        a->used.fetch_sub(h.taken, std::memory_order_relaxed);  // relaxed: a count only
    }
    std::free(h.memory);
}
void* omp_realloc(void* block, size_t bytes, omp_allocator_handle_t h, omp_allocator_handle_t old)
{
    if (block == nullptr) {
        return omp_alloc(bytes, h);
    }
    if (bytes == 0) {
        omp_free(block, old);
        return nullptr;
    }
    header& before = *(static_cast<header*>(block) - 1);
    const omp_allocator_handle_t to_be = h != omp_null_allocator ? h : before.from;
    // If both blocks come from one pool, it need not have room for both at a time. relaxed, all: a
    // count only.
    allocator* const shared = to_be == before.from ? made(to_be) : nullptr;
    const std::size_t taken = before.taken;
    if (shared != nullptr) {
        shared->used.fetch_sub(taken, std::memory_order_relaxed);
        before.taken = 0;
    }
    void* const to = omp_alloc(bytes, to_be);
    if (to != nullptr) {
        std::memcpy(to, block, std::min(bytes, before.bytes));
        omp_free(block, old);
    } else if (shared != nullptr) {
        shared->used.fetch_add(taken, std::memory_order_relaxed);
        before.taken = taken;
    }
    return to;
}

}  // extern "C"
