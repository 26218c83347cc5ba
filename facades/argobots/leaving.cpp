// How ULTs leave their stream before their end, and come back; see the header.
#include "leaving.hpp"

#include "base/os/yield.hpp"
#include "runtime.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"
#include "successor.hpp"

#include <utility>

namespace artel::argobots {
namespace {

struct push_after {
    ABT_pool_context why;
    pool* locked;
};

void push_previous(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    const push_after p = *static_cast<push_after*>(argument);
    thread& t = unit_on(previous);
    // relaxed: as in honour_requests.
    if (p.locked != nullptr && t.requests.load(std::memory_order_relaxed) == 0) [[likely]] {
        t.state.store(ABT_THREAD_STATE_READY, std::memory_order_relaxed);  // relaxed: see state
        p.locked->add_and_unlock(t);
        return;
    }
    if (p.locked != nullptr) {
        p.locked->unlock();
    }
    if (honour_requests(t)) {
        return;
    }
    t.state.store(ABT_THREAD_STATE_READY, std::memory_order_relaxed);  // relaxed: see state
    t.in->push(t, p.why);
}

}  // namespace

constinit const scheduled_rules the_rules;

bool scheduled_rules::suspend(sched::worker& w, fiber::after_switch after,
                              void* argument) const noexcept
{
    thread& t = unit_on(*w.current);
    if (t.caller == nullptr || t.on != w.current) {  // a root, see make_ready
        return sched::suspend_root(w, after, argument);
    }
    t.state.store(ABT_THREAD_STATE_BLOCKED, std::memory_order_relaxed);  // relaxed: see state
    t.in_wait = true;
    argobots::leave(t, !t.uncounted, after, argument);
    t.in_wait = false;
    return true;
}

bool scheduled_rules::yield(sched::worker& w) const noexcept
{
    thread& t = unit_on(*w.current);
    if (t.caller == nullptr) {
        return false;
    }
    t.in_wait = true;
    argobots::yield(t, ABT_POOL_CONTEXT_OP_THREAD_YIELD_LOOP);
    t.in_wait = false;
    return true;
}

void scheduled_rules::make_ready(fiber::fiber& f) const noexcept
{
    thread& t = unit_on(f);
    // A root runs the main scheduler and tasklets, which have no context of their own. The stream
    // of another unit is not looked at: that unit has left it, so it may have ended since.
    if (t.caller == nullptr || t.on != &f) {
        xstream& x = *static_cast<xstream*>(f.stream);
        x.resumed = &f;
        sched::activate(x);
    } else {
        t.in->push_unblocked(t);
    }
}

void scheduled_rules::leave(sched::stream& s) const noexcept
{
    thread& t = unit_on(*sched::this_worker()->current);
    if (t.caller != nullptr) {
        t.state.store(ABT_THREAD_STATE_BLOCKED, std::memory_order_relaxed);  // relaxed: see state
        t.in->add_blocked(1);
        auto& x = static_cast<xstream&>(s);
        x.resumed = t.caller;
        sched::activate(x);
    }
}

void leave(thread& t, bool counts, fiber::after_switch after, void* argument) noexcept
{
    leaver l;
    l.of = counts ? &t : nullptr;
    fiber::fiber& to = successor_of(*t.caller, *this_xstream(), l);
    if (counts && !l.counted) {
        t.in->add_blocked(1);
    }
    sched::pass_stream(to, after, argument);
}

void leave_to(thread& t, thread& next, fiber::after_switch after, void* argument) noexcept
{
    xstream& x = *this_xstream();
    while (next.on == nullptr && !give_context(next, x)) {
        base::os::yield();
    }
    prepare_to_run(next, *t.caller, x);
    sched::pass_stream(*next.on, after, argument);
}

void yield(thread& t, ABT_pool_context why) noexcept
{
    xstream& x = *this_xstream();
    if (t.caller == nullptr) {
        sched::rest_without_work(x);
        return;
    }
    fiber::fiber& caller = *t.caller;
    const scheduler* const direct = direct_scheduler(caller, x);
    leaver l;
    l.of = &t;
    l.yields = true;
    // The user's push is called by the scheduler, not on the stack of the next unit.
    fiber::fiber& to = t.in->ours() ? successor_of(caller, x, l) : caller;
    // The primary ULT on another stream may wait to get back to its own. relaxed: as in
    // honour_requests.
    if (&to == &caller && x.handed == nullptr && (!t.primary || x.primary) && direct != nullptr &&
        direct->has_pool(*t.in) && t.requests.load(std::memory_order_relaxed) == 0) {
        --x.turns_left;  // no other unit is ready; but the scheduler has to run now and then
        return;
    }
    pool* locked = l.locked ? t.in : nullptr;
    // The pool stays locked for the time of one switch only: not for a switch by way of another OS
    // thread, nor for one to the scheduler, which may run anything first.
    if (locked != nullptr && (&to == &caller || to.type == fiber::kind::bound)) {
        std::exchange(locked, nullptr)->unlock();
    }
    push_after p{why, locked};
    sched::pass_stream(to, push_previous, &p);
}

void yield_to(thread& t, thread& next, ABT_pool_context why) noexcept
{
    push_after p{why, nullptr};
    leave_to(t, next, push_previous, &p);
}

void resume(thread& t) noexcept
{
    sched::make_ready(*t.on);
}

}  // namespace artel::argobots
