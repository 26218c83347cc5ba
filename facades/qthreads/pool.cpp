// qpool: items of one size, cut from slabs. There are several lists of free items, each with a
// lock, and in front of them a short one for each worker, which only that worker uses: without a
// lock, and complete at every instruction, so that the child of a fork may go on with it.
// Destroying the pool frees the slabs, and with them all items.
#include "sched/fork_lock.hpp"
#include "sched/loop.hpp"

#include <algorithm>
#include <artel/detail/feb_line.hpp>
#include <atomic>
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

// The items that a worker has freed last. Its list changes by one store each time. In the child of
// a fork the worker's thread may be gone between that and the count, which is then wrong by one
// until the list has been filled or shortened.
struct alignas(64) own_items {
    // Written by its worker. relaxed and release: only for the child of a fork, which is to find
    // the links of what it finds.
    std::atomic<free_item*> first{nullptr};
    unsigned count = 0;

    void push(free_item* i, free_item* before) noexcept
    {
        ++count;
        i->next = before;
        first.store(i, std::memory_order_release);  // release: see there
    }
    free_item* pop() noexcept
    {
        free_item* const i = first.load(std::memory_order_relaxed);  // relaxed: see there
        if (i != nullptr) {
            first.store(i->next, std::memory_order_relaxed);  // relaxed: see there
            --count;
        }
        return i;
    }
};

struct item_pool {
    std::size_t size;       // of an item, a multiple of the alignment
    std::size_t alignment;  // of items and slabs
    std::size_t slab_size;
    unsigned own;  // how many items a worker may keep
    struct alignas(128) part {
        artel::sched::fork_lock lock;
        free_item* free = nullptr;
        slab* slabs = nullptr;
        char* uncut = nullptr;
        std::size_t uncut_items = 0;
    };
    part parts[8];
    own_items of_workers[64];  // others take those of the parts

    part& part_of_caller() noexcept
    {
        return parts[artel::detail::feb_caller() % std::size(parts)];
    }
    own_items* own_of_caller() noexcept
    {
        const artel::sched::worker* const w = artel::sched::this_worker();
        return w != nullptr && w->index < std::size(of_workers) ? &of_workers[w->index] : nullptr;
    }

    // Takes an item of the part, and some more for the worker, whose list is empty.
    free_item* fill(own_items* mine, part& p) noexcept
    {
        const std::scoped_lock hold(p.lock);
        free_item* const item = p.free;
        if (item == nullptr) {
            return nullptr;
        }
        p.free = item->next;
        if (mine != nullptr) {
            mine->count = 0;
            free_item* before = nullptr;
            while (mine->count < own / 2 && p.free != nullptr) {
                free_item* const more = p.free;
                p.free = more->next;
                mine->push(more, before);
                before = more;
            }
        }
        return item;
    }

    // Gives a freed item to the part, and half of what the worker has.
    void shorten(own_items* mine, part& p, free_item* freed) noexcept
    {
        const std::scoped_lock hold(p.lock);
        freed->next = std::exchange(p.free, freed);
        if (mine == nullptr || own == 0) {
            return;
        }
        mine->count = 0;
        // relaxed: see there
        for (free_item* i = mine->first.load(std::memory_order_relaxed); i != nullptr;
             i = i->next) {
            ++mine->count;
        }
        while (mine->count > own / 2) {
            free_item* const item = mine->pop();
            item->next = std::exchange(p.free, item);
        }
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
    constexpr std::size_t own_bytes = 4096;
    const auto own = static_cast<unsigned>(std::min<std::size_t>(own_bytes / item, 32));
    return new (std::nothrow) item_pool{item, a, (bytes + a - 1) / a * a, own, {}, {}};
}

[[gnu::noinline]] void* alloc_of_parts(item_pool& p)
{
    item_pool::part& mine = p.part_of_caller();
    if (free_item* const item = p.fill(p.own_of_caller(), mine); item != nullptr) {
        return item;
    }
    free_item* const found = p.free_elsewhere(mine);
    if (found == nullptr) {
        return p.cut(mine);
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

[[gnu::noinline]] void free_to_parts(item_pool& p, void* item)
{
    p.shorten(p.own_of_caller(), p.part_of_caller(), new (item) free_item{nullptr});
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
    if (own_items* const mine = p->own_of_caller(); mine != nullptr) [[likely]] {
        if (free_item* const item = mine->pop(); item != nullptr) [[likely]] {
            return item;
        }
    }
    return alloc_of_parts(*p);
}
void qpool_free(item_pool* p, void* item)
{
    if (p == nullptr || item == nullptr) {
        return;
    }
    if (own_items* const mine = p->own_of_caller(); mine != nullptr) [[likely]] {
        if (mine->count < p->own) [[likely]] {
            // relaxed: see there
            mine->push(new (item) free_item, mine->first.load(std::memory_order_relaxed));
            return;
        }
    }
    free_to_parts(*p, item);
}
}
