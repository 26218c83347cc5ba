// A list for each size; where a pool's own list is empty it takes all that other threads have
// returned, and else cuts the next block from a slab.
#include "small_objects.hpp"

#include "base/cpu.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "thread.hpp"

#include <cstdlib>
#include <mutex>
#include <utility>

namespace artel::onetbb {
namespace {

constexpr std::size_t slab_size = 64 * 1024;
foreign::fork_safe_lock ownerless_lock;
small_pool* ownerless = nullptr;  // guarded by the lock

}  // namespace

void* allocate_lines(std::size_t size)
{
    const std::size_t whole = (size + base::cache_line - 1) / base::cache_line * base::cache_line;
    void* const memory = whole < size ? nullptr
                                      : std::aligned_alloc(base::cache_line,
                                                           std::max(whole, base::cache_line));
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

void* small_pool::more(std::size_t kind)
{
    // relaxed: a hint that saves the exchange. acquire: pairs with return_from_outside.
    block* b = returned_[kind].load(std::memory_order_relaxed) == nullptr
                   ? nullptr
                   : returned_[kind].exchange(nullptr, std::memory_order_acquire);
    if (b != nullptr) {
        own_[kind] = b->next;
        return b;
    }
    const std::size_t size = (kind + 1) * granule;
    if (static_cast<std::size_t>(end_ - rest_) < size) {
        rest_ = static_cast<char*>(allocate_lines(slab_size));
        end_ = rest_ + slab_size;
    }
    return std::exchange(rest_, rest_ + size);
}

void small_pool::return_from_outside(void* memory, std::size_t size) noexcept
{
    std::atomic<block*>& list = returned_[(size - 1) / granule];
    // relaxed: the CAS decides. No thread takes single blocks out, so there is no ABA.
    auto* const b = new (memory) block{list.load(std::memory_order_relaxed)};
    // release: pairs with more(): what was in the block is over. relaxed: as above.
    while (!list.compare_exchange_weak(b->next, b, std::memory_order_release,
                                       std::memory_order_relaxed)) {
    }
}

small_pool& small_pool::acquire()
{
    {
        const std::scoped_lock hold(ownerless_lock);
        if (ownerless != nullptr) {
            return *std::exchange(ownerless, ownerless->next_);
        }
    }
    return *new small_pool;
}

void small_pool::release(small_pool& p) noexcept
{
    const std::scoped_lock hold(ownerless_lock);
    p.next_ = ownerless;
    ownerless = &p;
}

namespace {

small_pool& theirs(abi::d1::small_object_pool& p) noexcept
{
    return static_cast<small_pool&>(p);
}

void* allocate_from(small_pool& own, abi::d1::small_object_pool*& pool, std::size_t size)
{
    pool = &own;
    return size <= small_pool::largest ? own.allocate(size) : allocate_lines(size);
}

void deallocate_to(small_pool* own, small_pool& pool, void* memory, std::size_t size) noexcept
{
    if (size > small_pool::largest) {
        std::free(memory);
    } else if (&pool == own) {
        pool.give_back(memory, size);
    } else {
        pool.return_from_outside(memory, size);
    }
}

}  // namespace

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::execution;
using artel::onetbb::thread;

void* allocate(d1::small_object_pool*& pool, std::size_t size, const d1::execution_data& ed)
{
    return artel::onetbb::allocate_from(*static_cast<const execution&>(ed).me->memory, pool, size);
}
void* allocate(d1::small_object_pool*& pool, std::size_t size)
{
    return artel::onetbb::allocate_from(*artel::onetbb::this_thread().memory, pool, size);
}
void deallocate(d1::small_object_pool& pool, void* memory, std::size_t size,
                const d1::execution_data& ed)
{
    artel::onetbb::deallocate_to(static_cast<const execution&>(ed).me->memory,
                                 artel::onetbb::theirs(pool), memory, size);
}
void deallocate(d1::small_object_pool& pool, void* memory, std::size_t size)
{
    const thread* const me = artel::onetbb::known_thread();
    artel::onetbb::deallocate_to(me != nullptr ? me->memory : nullptr, artel::onetbb::theirs(pool),
                                 memory, size);
}

}  // namespace tbb::detail::r1
