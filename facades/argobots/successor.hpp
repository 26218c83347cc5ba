// What a stream runs after a unit: the unit that its built-in scheduler would pick next, or the
// scheduler itself when that is user-defined or has to run. In a header, because it is part of
// every switch.
#pragma once

#include "runner.hpp"
#include "runtime.hpp"
#include "stack.hpp"

namespace artel::argobots {

inline thread& unit_on(const fiber::fiber& f) noexcept
{
    return *static_cast<thread*>(f.unit);
}

// The built-in scheduler that `caller` runs; nullptr if the scheduler itself has to choose the next
// unit now. So it has with pools of the user: their functions may see the unit that leaves, which
// is in its pool only after the switch, and they may wait.
inline scheduler* direct_scheduler(const fiber::fiber& caller, const xstream& x) noexcept
{
    scheduler* const s = unit_on(caller).schedules;
    // relaxed: a hint; the scheduler checks by itself before long.
    const bool direct = s != nullptr && !s->user_defined && s->only_ours && x.turns_left != 0 &&
                        !x.asked.load(std::memory_order_relaxed);
    return direct ? s : nullptr;
}

inline void prepare_to_run(thread& t, fiber::fiber& caller, xstream& x) noexcept
{
    t.caller = &caller;
    t.last = &x;
    t.state.store(ABT_THREAD_STATE_RUNNING, std::memory_order_relaxed);  // relaxed: see state
}

// The ULT to run after one that `caller` called; nullptr when the scheduler has to choose.
inline thread* next_directly(fiber::fiber& caller, xstream& x, leaver& l) noexcept
{
    scheduler* const s = direct_scheduler(caller, x);
    thread* const t = s != nullptr ? pick(*s, x, l) : nullptr;
    if (t == nullptr) {
        return nullptr;
    }
    --x.turns_left;
    // relaxed: as in honour_requests.
    if (t->tasklet || t->requests.load(std::memory_order_relaxed) != 0) {
        x.handed = t;
        return nullptr;
    }
    prepare_to_run(*t, caller, x);
    return t;
}

// Makes a context for a ULT that has not begun, on stream `x`, which the caller holds; false
// without memory.
inline bool give_context(thread& t, xstream& x) noexcept
{
    if (t.own_stack) {
        t.on = make_own_context(t, run_on_own_stack);
    } else if (x.spare != nullptr) {
        t.on = x.spare;
        x.spare = static_cast<fiber::fiber*>(t.on->next);
        --x.spare_count;
    } else {
        t.on = fiber::create_plain(run_units);
    }
    if (t.on == nullptr) {
        return false;
    }
    t.on->unit = &t;
    return true;
}

// The fiber to which the stream switches from a unit that `caller` called.
inline fiber::fiber& successor_of(fiber::fiber& caller, xstream& x, leaver& l) noexcept
{
    thread* const t = next_directly(caller, x, l);
    if (t == nullptr) {
        return caller;
    }
    if (t->on == nullptr && !give_context(*t, x)) {
        x.handed = t;
        return caller;
    }
    return *t->on;
}

}  // namespace artel::argobots
