// Memory of explicit tasks. One size is recycled; larger argument blocks go through malloc each time.
#include "task.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace artel::openmp {

// The task object comes first, then the arguments. `next` and `recycled` outlive the task object between uses.
struct task_allocator::header {
    alignas(task_alignment) unsigned char storage[sizeof(task)];
    header* next;
    bool recycled;
};

task_allocator::~task_allocator()
{
    while (free_ != nullptr) {
        header* const h = free_;
        free_ = h->next;
        std::free(h);
    }
}

task* task_allocator::allocate(std::size_t bytes, std::size_t alignment) noexcept
{
    // What follows the header is aligned to task_alignment as it is.
    alignment = std::max<std::size_t>(alignment, 16);
    bytes += alignment > task_alignment ? alignment : 0;
    header* h = nullptr;
    const bool fits = bytes <= small;
    if (fits && free_ != nullptr) {
        h = free_;
        free_ = h->next;
        --kept_;
    } else {
        const std::size_t total = sizeof(header) + (fits ? small : bytes);
        h = static_cast<header*>(std::aligned_alloc(64, (total + 63) / 64 * 64));
        if (h == nullptr) {
            return nullptr;
        }
        h->recycled = fits;
    }
    task* const t = new (h->storage) task;
    const auto after = reinterpret_cast<std::uintptr_t>(h + 1);
    t->data = reinterpret_cast<void*>((after + alignment - 1) / alignment * alignment);
    return t;
}

task& task_of(void* data) noexcept
{
    // Behind the header, which is a multiple of task_alignment long, no gap is needed.
    static_assert(sizeof(task_allocator::header) % task_alignment == 0);
    return *reinterpret_cast<task*>(static_cast<task_allocator::header*>(data) - 1);
}

void task_allocator::free(task* t) noexcept
{
    auto* const h = reinterpret_cast<header*>(t);
    t->~task();
    if (!h->recycled || kept_ >= most_kept) {
        std::free(h);
        return;
    }
    h->next = free_;
    free_ = h;
    ++kept_;
}

}  // namespace artel::openmp
