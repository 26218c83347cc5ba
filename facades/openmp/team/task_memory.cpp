// Memory of explicit tasks. One size is recycled; larger argument blocks go through malloc each
// time.
#include "task.hpp"

#include "team.hpp"

#include <cstdlib>

namespace artel::openmp {

static_assert(alignof(task_allocator::header) == task_alignment);

task_allocator::~task_allocator()
{
    free_list_pool<header>::free_chain(free_);
    free_list_pool<header>::free_chain(full_);
}

task_allocator::header* task_allocator::grow(std::size_t bytes, bool fits) noexcept
{
    const std::size_t total = sizeof(header) + (fits ? small : bytes);
    auto* const h = static_cast<header*>(std::aligned_alloc(
        alignof(header), (total + alignof(header) - 1) & ~(alignof(header) - 1)));
    if (h != nullptr) {
        h->recycled = fits;
    }
    return h;
}

bool task_allocator::has_more(team& t) noexcept
{
    free_ = full_ != nullptr ? full_ : t.tasking.spare.take();
    full_ = nullptr;
    kept_ = free_list_pool<header>::chain_length;
    if (free_ == nullptr) {
        free_ = grow(0, true);
        if (free_ == nullptr) {
            kept_ = 0;
            return false;
        }
        free_->next = nullptr;
        kept_ = 1;
    }
    return true;
}

// Frees a block that is not recycled, or starts a new chain with it when `free_` is full.
void task_allocator::keep_for_reuse(header* h, team& t) noexcept
{
    if (!h->recycled || (full_ != nullptr && !t.tasking.spare.put(full_))) {
        std::free(h);
        return;
    }
    full_ = free_;
    h->next = nullptr;
    free_ = h;
    kept_ = 1;
}

}  // namespace artel::openmp
