// qpool: items of one size, cut from slabs. There are several lists of free items, each with a
// lock. Destroying the pool frees the slabs, and with them all items.
#include "sched/fork_lock.hpp"

#include <algorithm>
#include <artel/detail/feb_line.hpp>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace {

struct free_item {
    free_item* next;
};

struct slab {
    slab* next;
};

struct item_pool {
    std::size_t size;       // of an item, a multiple of the alignment
    std::size_t alignment;  // of items and slabs
    std::size_t slab_size;
    struct alignas(128) part {
        artel::sched::fork_lock lock;
        free_item* free = nullptr;
        slab* slabs = nullptr;
        char* uncut = nullptr;
        std::size_t uncut_items = 0;
    };
    part parts[8];

    part& part_of_caller() noexcept
    {
        return parts[artel::detail::feb_caller() % std::size(parts)];
    }

    // Takes the free items of another part. Otherwise one thread that allocates and another one
    // that frees would need new slabs for ever.
    free_item* free_elsewhere(const part& mine) noexcept
    {
        for (part& p : parts) {
            if (&p == &mine) {
                continue;
            }
            const std::scoped_lock hold(p.lock);
            if (p.free != nullptr) {
                return std::exchange(p.free, nullptr);
            }
        }
        return nullptr;
    }

    void* cut(part& p) noexcept
    {
        const std::scoped_lock hold(p.lock);
        if (p.uncut_items == 0) {
            void* const memory = std::aligned_alloc(alignment, slab_size);
            if (memory == nullptr) {
                return nullptr;
            }
            p.slabs = new (memory) slab{p.slabs};
            // The slab's header takes the place of its first items.
            const std::size_t head = (sizeof(slab) + size - 1) / size * size;
            p.uncut = static_cast<char*>(memory) + head;
            p.uncut_items = (slab_size - head) / size;
        }
        --p.uncut_items;
        return p.uncut + p.uncut_items * size;
    }
};

// nullptr for sizes and alignments of which no slab could be had.
item_pool* made(std::size_t size, std::size_t alignment)
{
    constexpr std::size_t most = std::size_t{1} << 56;  // far below an overflow in what follows
    if (size > most || alignment > most) {
        return nullptr;
    }
    constexpr std::size_t usual_slab = 16 * 1024;
    constexpr std::size_t items_at_least = 8;
    const std::size_t a = std::bit_ceil(std::max(alignment, alignof(std::max_align_t)));
    const std::size_t item = (std::max<std::size_t>(size, 1) + a - 1) / a * a;
    const std::size_t bytes = std::max(usual_slab, item * items_at_least);
    return new (std::nothrow) item_pool{item, a, (bytes + a - 1) / a * a, {}};
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
    if (p == nullptr) {
        return;
    }
    for (const auto& part : p->parts) {
        for (slab* s = part.slabs; s != nullptr;) {
            slab* const next = s->next;
            std::free(s);
            s = next;
        }
    }
    delete p;
}
void* qpool_alloc(item_pool* p)
{
    if (p == nullptr) {
        return nullptr;
    }
    item_pool::part& mine = p->part_of_caller();
    {
        const std::scoped_lock hold(mine.lock);
        if (free_item* const item = mine.free; item != nullptr) {
            mine.free = item->next;
            return item;
        }
    }
    free_item* const found = p->free_elsewhere(mine);
    if (found == nullptr) {
        return p->cut(mine);
    }
    if (free_item* const rest = found->next; rest != nullptr) {
        free_item* last = rest;
        while (last->next != nullptr) {
            last = last->next;
        }
        const std::scoped_lock hold(mine.lock);
        last->next = std::exchange(mine.free, rest);
    }
    return found;
}
void qpool_free(item_pool* p, void* item)
{
    if (p == nullptr || item == nullptr) {
        return;
    }
    item_pool::part& mine = p->part_of_caller();
    const std::scoped_lock hold(mine.lock);
    mine.free = new (item) free_item{mine.free};
}
}
