// Memory of explicit tasks. One size is recycled; larger argument blocks go through malloc each time.
#include "task.hpp"

#include <cstdlib>

namespace artel::openmp {

static_assert(alignof(task_allocator::header) == task_alignment);

task_allocator::~task_allocator()
{
    while (free_ != nullptr) {
        header* const h = free_;
        free_ = h->next;
        std::free(h);
    }
}

task_allocator::header* task_allocator::grow(std::size_t bytes, bool fits) noexcept
{
    const std::size_t total = sizeof(header) + (fits ? small : bytes);
    auto* const h = static_cast<header*>(
        std::aligned_alloc(alignof(header), (total + alignof(header) - 1) & ~(alignof(header) - 1)));
    if (h != nullptr) {
        h->recycled = fits;
    }
    return h;
}

void task_allocator::give_back(header* h) noexcept
{
    std::free(h);
}

}  // namespace artel::openmp
