// qpool: items of one size. The allocator's own caches do the rest.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>

namespace {

struct item_pool {
    std::size_t size;
    std::size_t alignment;
};

item_pool* made(std::size_t size, std::size_t alignment)
{
    const std::size_t a = std::bit_ceil(std::max(alignment, alignof(std::max_align_t)));
    return new item_pool{(std::max<std::size_t>(size, 1) + a - 1) / a * a, a};
}

}  // namespace

extern "C" {

item_pool* qpool_create(std::size_t size)
{
    return made(size, 0);
}
item_pool* qpool_create_aligned(std::size_t size, std::size_t alignment)
{
    return made(size, alignment);
}
void qpool_destroy(item_pool* p)
{
    delete p;
}
void* qpool_alloc(item_pool* p)
{
    return p != nullptr ? std::aligned_alloc(p->alignment, p->size) : nullptr;
}
void qpool_free(item_pool*, void* item)
{
    std::free(item);
}
}
