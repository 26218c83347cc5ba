// Groups of tasks that are cancelled together. They form a tree: a context is bound to the context
// of the task that first spawned into it, and is cancelled with that one.
//
// There are no lists of children. A cancellation sets the flag of its own context and increments a
// global counter. A query compares the counter with its value at the last query, and walks up the
// tree only when it has changed. So binding costs two stores, and a query two loads. After a reset,
// only later cancellations of ancestors count. A parent that no longer exists is recognised by its
// number, because its storage may have been reused: the interface allows a context to outlive the
// task in which it was bound, as long as nobody spawns into it.
#pragma once

#include "abi.hpp"

namespace tbb::detail::r1 {
void initialize(d1::task_group_context& c);
void destroy(d1::task_group_context& c);
}  // namespace tbb::detail::r1

namespace artel::onetbb {

using abi::d1::task_group_context;

// The floating-point control words: MXCSR in the low half, the x87 control word in the high half.
std::uint64_t read_fp_settings() noexcept;
void write_fp_settings(std::uint64_t settings) noexcept;

// The number of cancellations so far.
extern constinit std::atomic<std::uint64_t> cancellations;

bool look_upwards(task_group_context& c, std::uint64_t now) noexcept;

// Whether the context, or one that it is bound to, was cancelled. Any thread.
inline bool is_cancelled(task_group_context& c) noexcept
{
    // relaxed: a thread that must see it is synchronised by other means.
    if (c.cancelled.load(std::memory_order_relaxed) != 0) [[unlikely]] {
        return true;
    }
    // acquire: pairs with cancel(), whose flag must be visible.
    const std::uint64_t now = cancellations.load(std::memory_order_acquire);
    // relaxed: the value at the last walk up the tree, by any thread.
    return c.looked_at.load(std::memory_order_relaxed) != now && look_upwards(c, now);
}

// False if it was cancelled already. Any thread.
bool cancel(task_group_context& c) noexcept;

// Called in a handler: keeps the current exception for a waiting thread, and cancels the context;
// drops it if the context was cancelled without an exception before.
// Terminates if the program wants that (global_control), or if the thread is being ended.
void keep_exception(task_group_context& c) noexcept;

// Throws the kept exception in the thread that has waited, unless another one has thrown it.
void throw_kept(task_group_context& c);
inline void throw_if_kept(task_group_context& c)
{
    // acquire: pairs with keep_exception.
    if (c.exception.load(std::memory_order_acquire) != nullptr) [[unlikely]] {
        throw_kept(c);
    }
}

// Called before the first task: binds the context to `parent`, unless that is nullptr or the
// context is isolated. Without floating-point settings of its own it gets those of the parent, or
// `usual`. Any thread.
void bind_slowly(task_group_context& c, task_group_context* parent, std::uint64_t usual) noexcept;

inline bool is_bound(const task_group_context& c) noexcept
{
    // acquire: pairs with the release in bind_slowly.
    const std::uint8_t life = c.life.load(std::memory_order_acquire);
    return life != task_group_context::created && life != task_group_context::locked;
}

}  // namespace artel::onetbb
