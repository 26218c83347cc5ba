// Tells AddressSanitizer and ThreadSanitizer of switches. Both keep their idea of "the current
// thread" in TLS, so a persona, which brings its own TLS, is simply another thread to them; only
// fibers that share an OS thread's own TLS need the fiber calls. Models are told too, so that they
// detect that a running fiber is resumed. In other builds everything here is empty.
#pragma once

#include "fiber/fiber.hpp"

#if defined(__SANITIZE_THREAD__)
#define ARTEL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ARTEL_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARTEL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARTEL_ASAN 1
#endif
#endif

#if defined(ARTEL_TSAN)
#include <sanitizer/tsan_interface.h>
#endif
#if defined(ARTEL_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// A function that changes stacks or thread pointers: entry/exit hooks would be counted on different
// "threads".
#define ARTEL_NOT_INSTRUMENTED \
    __attribute__((noinline, no_sanitize("address", "thread", "undefined")))

namespace artel::fiber {

#if defined(ARTEL_MODEL)
void model_resuming(fiber& to) noexcept;  // sched/os_threads_model.hpp
void model_arrived(carrier& here, fiber& to) noexcept;
#endif

// Called before anything is changed: what the carrier did so far happens before what `to` does
// next.
__attribute__((always_inline)) inline void sanitizer_release([[maybe_unused]] fiber& to) noexcept
{
#if defined(ARTEL_MODEL)
    model_resuming(to);
#endif
#if defined(ARTEL_TSAN)
    __tsan_release(&to);
#endif
}

// The actions of a persona's pthread before it parked happen before the next ones of its maker: the
// park itself is not instrumented.
inline void sanitizer_born([[maybe_unused]] fiber& f) noexcept
{
#if defined(ARTEL_TSAN)
    __tsan_release(&f);
#endif
}
inline void sanitizer_seen_born([[maybe_unused]] fiber& f) noexcept
{
#if defined(ARTEL_TSAN)
    __tsan_acquire(&f);
#endif
}

// Under the new thread pointer, right before the jump.
__attribute__((always_inline)) inline void sanitizer_departing([[maybe_unused]] carrier& here,
                                                               [[maybe_unused]] fiber& to) noexcept
{
#if defined(ARTEL_TSAN) || defined(ARTEL_ASAN)
    if (to.type == kind::persona || here.own_stack_user == &to) {
        return;
    }
#if defined(ARTEL_TSAN)
    __tsan_switch_to_fiber(to.sanitizer_fiber, 0);
#endif
#if defined(ARTEL_ASAN)
    __sanitizer_start_switch_fiber(&here.own_stack_user->fake_stack, to.stack.low, to.stack.size);
#endif
#endif
}

// First thing on the new stack.
__attribute__((always_inline)) inline void sanitizer_arrived([[maybe_unused]] carrier& here,
                                                             [[maybe_unused]] fiber& to) noexcept
{
#if defined(ARTEL_MODEL)
    model_arrived(here, to);
#endif
#if defined(ARTEL_ASAN)
    if (to.type != kind::persona && here.own_stack_user != &to) {
        __sanitizer_finish_switch_fiber(to.fake_stack, nullptr, nullptr);
    }
#endif
#if defined(ARTEL_TSAN) || defined(ARTEL_ASAN)
    if (to.type != kind::persona) {
        here.own_stack_user = &to;
    }
#endif
#if defined(ARTEL_TSAN)
    __tsan_acquire(&to);
#endif
}

// A new body begins on the fiber's stack, where frames of the last one that were left without a
// return (a cancelled unit's, a scheduling loop's) are still poisoned.
inline void sanitizer_stack_begins([[maybe_unused]] fiber& f) noexcept
{
#if defined(ARTEL_ASAN)
    __asan_unpoison_memory_region(f.stack.low, f.stack.size);
#endif
}

// A plain fiber is created or destroyed.
inline void sanitizer_created([[maybe_unused]] fiber& f) noexcept
{
#if defined(ARTEL_TSAN)
    f.sanitizer_fiber = __tsan_create_fiber(0);
#endif
}
inline void sanitizer_destroyed([[maybe_unused]] fiber& f) noexcept
{
#if defined(ARTEL_TSAN)
    __tsan_destroy_fiber(f.sanitizer_fiber);
#endif
}
// An OS thread's own context becomes a bound fiber.
inline void sanitizer_adopted([[maybe_unused]] fiber& f) noexcept
{
#if defined(ARTEL_TSAN)
    f.sanitizer_fiber = __tsan_get_current_fiber();
#endif
}

}  // namespace artel::fiber
