// The kernel's part in signals, for models of the code that switches light threads under it: masks,
// pending signals, nudges, whose handler may run before any operation of its thread, thread
// pointers, and the fence on all threads: here each side makes its own. Included once, by the
// model, first.
#pragma once

#define ARTEL_MODEL_SIGNALS 1
#include "base/machine_model.hpp"

#include <csignal>
#include <unistd.h>

#include "fiber/persona.hpp"
#include "fiber/signals.hpp"
#include "fiber/switch.cpp"
#include "fiber/switch.hpp"

namespace artel::model {

constexpr unsigned threads_at_most = 3;

struct kernel_thread {
    base::os::signal_set blocked = 0;
    base::os::signal_set pending = 0;
    std::uintptr_t value = 0;
    bool nudged = false;
    bool in_nudge = false;
    base::os::thread_pointer pointer = 0;
    fiber::carrier* here = nullptr;
};
inline kernel_thread kernel[threads_at_most];
inline void (*program_handler)(int signal, std::uintptr_t value, base::os::thread_pointer who);

// On the way back from the kernel.
inline void deliver()
{
    kernel_thread& k = kernel[this_thread()];
    while (const base::os::signal_set now = k.in_nudge ? 0 : k.pending & ~k.blocked) {
        const int signal = std::countr_zero(now) + 1;
        k.pending &= ~base::os::set_of(signal);
        program_handler(signal, k.value, k.pointer);
    }
}

inline void enter_kernel()
{
    rl::ctx().sched();
    rl::atomic_thread_fence(rl::mo_seq_cst, info(where::current()));
}

inline void take_nudge()
{
    kernel_thread& k = kernel[this_thread()];
    if (!k.nudged || k.in_nudge) {
        return;
    }
    k.nudged = false;
    k.in_nudge = true;
    rl::atomic_thread_fence(rl::mo_seq_cst, info(where::current()));
    fiber::send_pending_on(*k.here, k.blocked);
    k.in_nudge = false;
    deliver();
}

}  // namespace artel::model

namespace artel::base::os {

signal_set change_blocked(int how, signal_set set) noexcept
{
    model::enter_kernel();
    signal_set& now = model::kernel[model::this_thread()].blocked;
    const signal_set before = now;
    now = how == SIG_BLOCK ? now | set : how == SIG_UNBLOCK ? now & ~set : set;
    model::deliver();
    return before;
}
signal_set blocked_now() noexcept
{
    return model::kernel[model::this_thread()].blocked;
}
int this_kernel_thread() noexcept
{
    return static_cast<int>(model::this_thread());
}
void send_to_thread(int thread, int signal, bool, std::uintptr_t value) noexcept
{
    model::enter_kernel();
    model::kernel[thread].pending |= set_of(signal);
    model::kernel[thread].value = value;
    model::deliver();
}
signal_set pending_for_this_thread() noexcept
{
    model::enter_kernel();
    return model::kernel[model::this_thread()].pending;
}
bool take_from_this_thread(int signal) noexcept
{
    model::enter_kernel();
    signal_set& pending = model::kernel[model::this_thread()].pending;
    const bool there = (pending & set_of(signal)) != 0;
    pending &= ~set_of(signal);
    return there;
}
bool fence_on_all_threads() noexcept
{
    full_fence();
    return true;
}
void fence_by_others() noexcept
{
    full_fence();
}
thread_pointer read_thread_pointer() noexcept
{
    return model::kernel[model::this_thread()].pointer;
}
void write_thread_pointer(thread_pointer pointer) noexcept
{
    rl::ctx().sched();
    model::maybe_interrupt();
    model::kernel[model::this_thread()].pointer = pointer;
}

}  // namespace artel::base::os

namespace artel::fiber {

constexpr base::os::thread_pointer members_pointer = 100;

inline tls_block model_tls[model::threads_at_most];
inline tls_block members_tls;
inline exception_state model_exceptions[model::threads_at_most];

tls_block& this_tls() noexcept
{
    return base::os::read_thread_pointer() == members_pointer ? members_tls
                                                              : model_tls[model::this_thread()];
}
void model_resuming(fiber&) noexcept {}
void model_arrived(carrier&, fiber&) noexcept {}

}  // namespace artel::fiber
