// Memory for explicit tasks with small arguments, kept by the member that ends the task: up to two
// chains of blocks. Further blocks go to the team's free_list_pool, where members that make tasks
// find them, and beyond that to malloc.
#pragma once

#include "free_list_pool.hpp"
#include "task.hpp"

#include <cstddef>
#include <new>

namespace artel::openmp {

class task_allocator {
public:
    task_allocator() noexcept = default;
    task_allocator(const task_allocator&) = delete;
    task_allocator& operator=(const task_allocator&) = delete;
    ~task_allocator();
    // A task that `maker` makes, with `bytes` of argument data aligned to `alignment`, a power of
    // two; nullptr without memory.
    task* allocate(std::size_t bytes, std::size_t alignment, task& maker, team& t) noexcept;
    void free(task* t) noexcept;

    // A record on the heap for a task whose record is on the stack; nullptr without memory.
    task* move(const task& on_stack, team& t) noexcept;

    // The task object comes first; the arguments follow the header. The other members outlive the
    // task object.
    struct header {
        alignas(64) unsigned char storage[sizeof(task)];
        header* next;
        header* next_chain;
        bool recycled;
    };

private:
    static constexpr std::size_t small = 192;  // bytes of arguments in a recycled block
    header* take(team& t) noexcept;
    bool has_more(team& t) noexcept;
    header* grow(std::size_t bytes, bool fits) noexcept;
    void keep_for_reuse(header* h, team& t) noexcept;
    header* free_ = nullptr;  // where blocks are taken from and put
    header* full_ = nullptr;  // nullptr, or a full chain
    int kept_ = 0;            // in `free_`
};

// A recycled block; nullptr without memory.
inline task_allocator::header* task_allocator::take(team& t) noexcept
{
    if (free_ == nullptr && !has_more(t)) [[unlikely]] {
        return nullptr;
    }
    header* const h = free_;
    free_ = h->next;
    --kept_;
    return h;
}

inline task* task_allocator::allocate(std::size_t bytes, std::size_t alignment, task& maker,
                                      team& t) noexcept
{
    // Bytes after a header have its alignment without padding.
    alignment = alignment > 16 ? alignment : 16;
    bytes += alignment > alignof(header) ? alignment : 0;
    header* const h = bytes <= small ? take(t) : grow(bytes, false);
    if (h == nullptr) [[unlikely]] {
        return nullptr;
    }
    task* const made = new (h->storage) task(maker, t);
    made->data = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(h + 1) + alignment - 1) &
                                         ~(alignment - 1));
    return made;
}

inline task* task_allocator::move(const task& on_stack, team& t) noexcept
{
    header* const h = take(t);
    return h != nullptr ? new (h->storage) task(on_stack, t, task::moved{}) : nullptr;
}

inline void task_allocator::free(task* t) noexcept
{
    auto* const h = reinterpret_cast<header*>(t);
    if (!h->recycled || kept_ >= free_list_pool<header>::chain_length) [[unlikely]] {
        team& in = *t->in;
        t->~task();
        keep_for_reuse(h, in);
        return;
    }
    t->~task();
    h->next = free_;
    free_ = h;
    ++kept_;
}

// The task whose arguments, aligned to no more than task_alignment, begin at `data`.
inline constexpr std::size_t task_alignment = 64;
inline task& task_of(void* data) noexcept
{
    // There is no padding, as the header's size is a multiple of task_alignment.
    static_assert(sizeof(task_allocator::header) % task_alignment == 0);
    return *reinterpret_cast<task*>(static_cast<task_allocator::header*>(data) - 1);
}

}  // namespace artel::openmp
