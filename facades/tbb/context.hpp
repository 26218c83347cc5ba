// Groups of tasks that are cancelled together, as a tree: a context is bound to the one in which
// its tasks were first spawned, and is cancelled with it.
//
// Nobody keeps lists of children. A cancellation sets the flag of its own context and raises a
// counter; who asks a context compares the counter with the one at its last look, and only when it
// has changed goes up the tree. So binding costs two stores, and asking two loads. A context that
// was reset is cancelled with another one only if that is cancelled later. A parent that is
// gone is recognised by the number that it had: its storage may be something else by then, as may
// happen with contexts that outlive the task in which they were bound, which the interface allows
// as long as nobody spawns into them.
#pragma once

#include "abi.hpp"

namespace tbb::detail::r1 {
void initialize(d1::task_group_context& c);
void destroy(d1::task_group_context& c);
}  // namespace tbb::detail::r1

namespace artel::onetbb {

using abi::d1::task_group_context;

// What floating-point control words say: MXCSR below, the x87 control word above.
std::uint64_t read_fp_settings() noexcept;
void write_fp_settings(std::uint64_t settings) noexcept;

// The number of cancellations so far.
extern constinit std::atomic<std::uint64_t> cancellations;

bool look_upwards(task_group_context& c, std::uint64_t now) noexcept;

// Whether the context, or one that it is bound to, was cancelled. Any thread.
inline bool is_cancelled(task_group_context& c) noexcept
{
    // relaxed: who must see it has been told so by other means.
    if (c.cancelled.load(std::memory_order_relaxed) != 0) [[unlikely]] {
        return true;
    }
    // acquire: pairs with cancel(): the flag.
    const std::uint64_t now = cancellations.load(std::memory_order_acquire);
    // relaxed: a look at the ancestors that somebody has made.
    return c.looked_at.load(std::memory_order_relaxed) != now && look_upwards(c, now);
}

// False if it was cancelled already. Any thread.
bool cancel(task_group_context& c) noexcept;

// Keeps the exception that is handled, for who waits, and cancels. In a handler. Ends the program
// if the program wants that (global_control), or a thread is ending.
void keep_exception(task_group_context& c) noexcept;

// Throws it for who has waited, if nobody else has.
void throw_kept(task_group_context& c);
inline void throw_if_kept(task_group_context& c)
{
    // acquire: pairs with keep_exception.
    if (c.exception.load(std::memory_order_acquire) != nullptr) [[unlikely]] {
        throw_kept(c);
    }
}

// Before the first task: binds to `parent`, unless that is nullptr or the context is isolated; its
// floating-point settings, if it has none, are those of its parent, or `usual`. Any thread.
void bind_slowly(task_group_context& c, task_group_context* parent, std::uint64_t usual) noexcept;

inline bool is_bound(const task_group_context& c) noexcept
{
    // acquire: pairs with the release in bind_slowly.
    const std::uint8_t life = c.life.load(std::memory_order_acquire);
    return life != task_group_context::created && life != task_group_context::locked;
}

}  // namespace artel::onetbb
