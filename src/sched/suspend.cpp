// Suspending a fiber. What the worker continues with, and finish(), are in loop.cpp.
#include "sched/suspend.hpp"

#include "base/log.hpp"
#include "fiber/switch.hpp"
#include "sched/crew.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"
#include "sched/stream.hpp"

namespace artel::sched {

bool suspend(fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    if (w.current->isolated != 0) [[unlikely]] {
        return false;
    }
    if (w.current->stream != nullptr) [[unlikely]] {
        return suspend_unit(w, after, argument);
    }
    fiber::fiber* const next = successor(w);
    if (next == nullptr) {
        if constexpr (!base::modelled) {
            static std::atomic<bool> said{false};
            // relaxed: said once, and nothing depends on it.
            if (!said.exchange(true, std::memory_order_relaxed)) {
                base::warn(
                    "no memory for the stack of another light thread: workers sleep while theirs "
                    "wait, and light threads that need each other at once may hang");
            }
        }
        return false;
    }
    if (next == w.current) {
        // Impossible: only a published waiter is made ready, so no stale wake can have made this
        // bound fiber ready.
        __builtin_unreachable();
    }
    fiber::switch_to(w, *next, after, argument);
    return true;
}

bool suspend_for(fiber::fiber& next, fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    if (w.current->stream != nullptr) [[unlikely]] {
        leave_stream(*w.current->stream);
    }
    fiber::switch_to(w, next, after, argument);
    return true;
}

namespace {

void move_to_own_worker(fiber::carrier& here, fiber::fiber& persona, void*)
{
    persona.run = run_fiber;
    if (!post_to_own_worker(as_worker(here).own_crew, persona)) {
        make_ready(persona);
    }
}

}  // namespace

void give_way() noexcept
{
    const worker* const w = this_worker();
    // nullptr: a thread that never used the crew, in a construct outside any region.
    if (w != nullptr && is_carried_by_guest(*w) && w->current->type == fiber::kind::persona &&
        !may_carry(*w)) {
        suspend(move_to_own_worker, nullptr);
    }
}

}  // namespace artel::sched
