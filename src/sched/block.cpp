// Per-worker caches of blocks: plain lists, each touched only by the OS thread of its worker,
// between two switches. A cache that has grown long because blocks of others are freed here gives
// half to a common list, from which an empty one takes.
#include "base/cpu.hpp"
#include "base/spinlock.hpp"
#include "fiber/call_out.hpp"
#include "sched/crew.hpp"

#include <array>
#include <artel/detail/block.hpp>
#include <mutex>
#include <new>
#include <pthread.h>

namespace artel::detail {
namespace {

struct free_block_node {
    free_block_node* next;
    free_block_node* next_batch;  // in the common list, of the first of each batch
};

constexpr unsigned batch = 32;

struct alignas(base::cache_line) cache {
    free_block_node* first = nullptr;
    unsigned count = 0;
};

constinit std::array<cache, sched::max_workers> caches;  // untouched pages cost nothing

struct common_list {
    base::spinlock lock;
    free_block_node* batches = nullptr;
};
constinit common_list common;

// A thread that does not exist in the child may have been changing any of these: their blocks are
// given up.
void forget_after_fork() noexcept
{
    for (cache& c : caches) {
        if (c.first != nullptr) {
            c = {};
        }
    }
    new (&common) common_list;
}

[[maybe_unused]] const int registered = ::pthread_atfork(nullptr, nullptr, forget_after_fork);

void* new_block(std::size_t size)
{
    const fiber::call_out guard;
    return ::operator new(size, std::align_val_t{block_alignment});
}

// Takes a batch from the common list into the empty cache. False when there is none.
bool refill(cache& c) noexcept
{
    const std::scoped_lock hold(common.lock);
    if (common.batches == nullptr) {
        return false;
    }
    c.first = common.batches;
    c.count = batch;
    common.batches = c.first->next_batch;
    return true;
}

// Gives the older half of a full cache away.
void spill(cache& c) noexcept
{
    free_block_node* last_kept = c.first;
    for (unsigned i = 1; i < c.count - batch; ++i) {
        last_kept = last_kept->next;
    }
    free_block_node* const given = last_kept->next;
    last_kept->next = nullptr;
    c.count -= batch;
    const std::scoped_lock hold(common.lock);
    given->next_batch = common.batches;
    common.batches = given;
}

}  // namespace

void* allocate_block(std::size_t size)
{
    const sched::worker* const w = sched::this_worker();
    if (size > block_size || w == nullptr) [[unlikely]] {
        return new_block(size > block_size ? size : block_size);
    }
    cache& c = caches[w->index];
    if (c.first == nullptr && !refill(c)) [[unlikely]] {
        return new_block(block_size);
    }
    free_block_node* const taken = c.first;
    c.first = taken->next;
    --c.count;
    return taken;
}

void free_block(void* block, std::size_t size) noexcept
{
    const sched::worker* const w = sched::this_worker();
    if (size > block_size || w == nullptr) [[unlikely]] {
        const fiber::call_out guard;
        ::operator delete(block, std::align_val_t{block_alignment});
        return;
    }
    cache& c = caches[w->index];
    c.first = new (block) free_block_node{c.first, nullptr};
    if (++c.count == 2 * batch) [[unlikely]] {
        spill(c);
    }
}

}  // namespace artel::detail
