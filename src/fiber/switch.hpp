// The switch: changes the thread pointer when the next fiber has another one, tells the sanitizers,
// and changes stacks (context.hpp). Nothing here may be instrumented or touch TLS between the
// change of thread pointer and the jump.
//
// Always inlined: as a function it would return to the address of the resumed fiber's call, while
// the processor predicts a return to the last caller; between two places that switch to each other
// that is wrong every time (14 ns instead of 7.6 on Zen 4).
#pragma once

#include "fiber/context.hpp"
#include "fiber/fiber.hpp"
#include "fiber/sanitizer.hpp"
#include "fiber/signals.hpp"

#include <cstdlib>

// Sanitizers and models need it out of line: uninstrumented code cannot be inlined into
// instrumented.
#if defined(ARTEL_ASAN) || defined(ARTEL_TSAN) || defined(ARTEL_MODEL)
#define ARTEL_SWITCH ARTEL_NOT_INSTRUMENTED inline
#else
#define ARTEL_SWITCH __attribute__((always_inline)) inline
#endif

namespace artel::fiber {
namespace detail {

// Lies on the stack of the fiber that switches away; the arriving side copies it before any thread
// can resume that fiber.
struct departure {
    carrier* here;
    fiber* from;
    after_switch after;
    void* argument;
};

__attribute__((always_inline)) inline tls_block& block_of(const fiber& f,
                                                          const carrier& here) noexcept
{
    return f.tls != nullptr ? *f.tls : *here.own_tls;
}

__attribute__((always_inline)) inline base::os::thread_pointer pointer_of(
    const fiber& f, const carrier& here) noexcept
{
    return f.thread_pointer != 0 ? f.thread_pointer : here.own_thread_pointer;
}

// First thing on the new stack. `from`'s context was saved by the jump.
__attribute__((always_inline)) inline void arrive(void* data) noexcept
{
    // Field by field: a copy of the whole would use wider loads than the stores before, which
    // stalls store forwarding.
    const departure& d = *static_cast<const departure*>(data);
    carrier& here = *d.here;
    sanitizer_arrived(here, *here.current);
    if (d.after != nullptr) {
        d.after(here, *d.from, d.argument);
    }
}

__attribute__((always_inline)) inline void* depart(departure& d, fiber& to) noexcept
{
    carrier& here = *d.here;
    fiber& from = *d.from;
    tls_block& old_block = block_of(from, here);
    tls_block& new_block = block_of(to, here);
    from.local = old_block.local;
    from.last = &here;
    if (from.thread_pointer == 0) {
        from.exceptions.caught = here.own_exceptions->caught;
        from.exceptions.uncaught = here.own_exceptions->uncaught;
    }
    if (to.thread_pointer == 0) {
        here.own_exceptions->caught = to.exceptions.caught;
        here.own_exceptions->uncaught = to.exceptions.uncaught;
    }
    here.current = &to;
    // relaxed (both): a counter with one writer; its reader only compares two values.
    here.switches.store(here.switches.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
    new_block.current_carrier = &here;
    new_block.local = to.local;
    const base::os::thread_pointer new_pointer = pointer_of(to, here);
    const bool another_pointer = new_pointer != pointer_of(from, here);
    sanitizer_release(to);
#if defined(ARTEL_MODEL) && !defined(ARTEL_MODEL_SIGNALS)
    constexpr bool signals = false;
#else
    constexpr bool signals = true;
#endif
    [[maybe_unused]] bool looked = false;
    if constexpr (signals) {
        base::os::fence_by_others();  // for senders, which read `current`
        looked = masks_differ();
        if (looked) [[unlikely]] {
            prepare_signals(d, to);
        }
    }
    if (another_pointer) {
        base::os::write_thread_pointer(new_pointer);
        if constexpr (signals) {
            if (!looked && matter_by_now()) [[unlikely]] {
                prepare_signals_late(d);
            }
        }
    }
    sanitizer_departing(here, to);
    return context::jump(&from.context, to.context, &d);
}

}  // namespace detail

// Suspends the carrier's current fiber and continues `to`, which must be suspended and exclusively
// ours. Returns when another switch continues this fiber, possibly on another carrier. Not
// async-signal-safe.
ARTEL_SWITCH void switch_to(carrier& here, fiber& to, after_switch after, void* argument) noexcept
{
    detail::departure d{&here, here.current, after, argument};
    detail::arrive(detail::depart(d, to));
}

// switch_to, but the current fiber is never continued (`after` may free its stack).
[[noreturn]] ARTEL_SWITCH void exit_to(carrier& here, fiber& to, after_switch after,
                                       void* argument) noexcept
{
    detail::departure d{&here, here.current, after, argument};
    detail::depart(d, to);
    std::abort();
}

}  // namespace artel::fiber
