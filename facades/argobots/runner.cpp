// How ULTs get a context, leave their stream, and end; see the header, and scheduler.hpp for what
// comes next.
#include "runner.hpp"

#include "base/os/yield.hpp"
#include "base/thread_end.hpp"
#include "runtime.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"
#include "stack.hpp"

#include <utility>

namespace artel::argobots {
namespace {

constexpr unsigned runners_kept = 256;

thread& unit_on(const fiber::fiber& f) noexcept
{
    return *static_cast<thread*>(f.unit);
}

// The scheduler of ours that `caller` runs, if the next unit need not be its own choice now.
scheduler* direct_scheduler(const fiber::fiber& caller, const xstream& x) noexcept
{
    scheduler* const s = unit_on(caller).schedules;
    // relaxed: a hint; the scheduler looks by itself before long.
    const bool direct = s != nullptr && !s->user_defined && x.turns_left != 0 &&
                        !x.asked.load(std::memory_order_relaxed);
    return direct ? s : nullptr;
}

void prepare_to_run(thread& t, fiber::fiber& caller, xstream& x) noexcept
{
    t.caller = &caller;
    t.last = &x;
    t.state.store(ABT_THREAD_STATE_RUNNING, std::memory_order_relaxed);  // relaxed: see state
}

// The ULT that comes after one that `caller` called; nullptr when that is the scheduler's choice.
thread* next_directly(fiber::fiber& caller, xstream& x, leaver& l) noexcept
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

// Where the stream goes from a unit that `caller` called.
fiber::fiber& successor_of(fiber::fiber& caller, xstream& x, leaver& l) noexcept
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

// The unit has run. Whoever joins it and ran here before goes on at once, without having been in
// its pool: its fiber. nullptr: nobody. The unit may be gone.
fiber::fiber* conclude_for_joiner(thread& t, fiber::fiber& caller, xstream& x) noexcept
{
    if (!t.named) {
        destroy(t);
        return nullptr;
    }
    // acq_rel: as in conclude().
    waiter* const w = t.joiner.exchange(over(), std::memory_order_acq_rel);
    if (w == nullptr) {
        return nullptr;
    }
    fiber::fiber& who = *w->who;
    auto* const j = static_cast<thread*>(who.unit);
    // A bound fiber of another OS thread is left to those who can wake it.
    if (j == nullptr || j->rules != &the_rules || j->last != &x || j->caller == nullptr ||
        j->uncounted || x.turns_left == 0 || &who == x.root ||
        (who.type == fiber::kind::bound && x.pinned == nullptr) ||
        j->requests.load(std::memory_order_relaxed) != 0) {  // relaxed: as in honour_requests
        wake(*w);
        return nullptr;
    }
    --x.turns_left;
    j->in->add_blocked(-1);
    prepare_to_run(*j, caller, x);
    return &who;
}

// The `after` functions.
void keep_runner(fiber::carrier&, fiber::fiber& previous, void*)
{
    xstream& x = *static_cast<xstream*>(previous.stream);
    if (x.spare_count == runners_kept) {
        fiber::destroy_plain(previous);
        return;
    }
    previous.next = x.spare;
    x.spare = &previous;
    ++x.spare_count;
}

void run_body(thread& t) noexcept
{
    base::call_program([&] { t.function(t.argument); });
}

[[noreturn]] void runner(fiber::fiber& f)
{
    for (;;) {
        thread& t = unit_on(f);
        run_body(t);
        fiber::fiber& caller = *t.caller;
        xstream& x = *static_cast<xstream*>(f.stream);
        // From here on this is the scheduler's code, and the unit may be gone.
        t.on = nullptr;
        f.unit = caller.unit;
        fiber::fiber* to = conclude_for_joiner(t, caller, x);
        if (to == nullptr) {
            leaver nobody;
            thread* const next = next_directly(caller, x, nobody);
            if (next != nullptr && next->on == nullptr && !next->own_stack) {
                next->on = &f;
                f.unit = next;
                continue;
            }
            to = &caller;
            if (next != nullptr) {
                if (next->on != nullptr || give_context(*next, x)) {
                    to = next->on;
                } else {
                    x.handed = next;
                }
            }
        }
        sched::pass_stream(*to, keep_runner, nullptr);
    }
}

// A runner whose ULT has ended in the middle of its function.
void renew_runner(fiber::carrier& here, fiber::fiber& previous, void* argument)
{
    thread& t = *static_cast<thread*>(argument);
    fiber::prepare(previous, runner);
    keep_runner(here, previous, nullptr);
    t.on = nullptr;
    conclude(t);
}

void end_own(fiber::carrier&, fiber::fiber&, void* argument)
{
    thread& t = *static_cast<thread*>(argument);
    free_own_context(t);
    conclude(t);
}

[[noreturn]] void run_on_own_stack(fiber::fiber& f)
{
    run_body(unit_on(f));
    end_self(unit_on(f), nullptr);
}

struct push_after {
    ABT_pool_context why;
    pool* locked;
};

void push_previous(fiber::carrier&, fiber::fiber& previous, void* argument)
{
    const push_after p = *static_cast<push_after*>(argument);
    thread& t = unit_on(previous);
    // relaxed: a look, as in honour_requests.
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
    if (t.caller == nullptr || w.current == static_cast<xstream*>(w.current->stream)->root) {
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
    xstream& x = *static_cast<xstream*>(f.stream);
    if (t.caller == nullptr || &f == x.root) {
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

bool give_context(thread& t, xstream& x) noexcept
{
    if (t.own_stack) {
        t.on = make_own_context(t, run_on_own_stack);
    } else if (x.spare != nullptr) {
        t.on = x.spare;
        x.spare = static_cast<fiber::fiber*>(t.on->next);
        --x.spare_count;
    } else {
        t.on = fiber::create_plain(runner);
    }
    if (t.on == nullptr) {
        return false;
    }
    t.on->unit = &t;
    return true;
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

void end_self(thread& t, thread* next) noexcept
{
    xstream& x = *this_xstream();
    fiber::fiber& caller = *t.caller;
    if (next != nullptr) {
        while (next->on == nullptr && !give_context(*next, x)) {
            base::os::yield();
        }
        prepare_to_run(*next, caller, x);
    }
    leaver nobody;
    fiber::fiber& to = next != nullptr ? *next->on : successor_of(caller, x, nobody);
    sched::pass_stream_and_end(to, t.own_stack ? end_own : renew_runner, &t);
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
    fiber::fiber& to = successor_of(caller, x, l);
    // The primary ULT, where it is not at home, may wait for just that.
    // relaxed: as in honour_requests.
    if (&to == &caller && x.handed == nullptr && (!t.primary || x.primary) && direct != nullptr &&
        direct->has_pool(*t.in) && t.requests.load(std::memory_order_relaxed) == 0) {
        --x.turns_left;  // there is nobody else; now and then the scheduler is asked all the same
        return;
    }
    pool* locked = l.locked ? t.in : nullptr;
    // Only as long as a switch takes: not for a switch by way of another OS thread, or to the
    // scheduler, where anything may run first.
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

void discard_context(thread& t) noexcept
{
    if (t.on == nullptr) {
        return;
    }
    if (t.own_stack) {
        free_own_context(t);
    } else if (!t.primary && !t.main_scheduler) {
        fiber::destroy_plain(*std::exchange(t.on, nullptr));
    }
}

void free_runners(xstream& x) noexcept
{
    while (x.spare != nullptr) {
        fiber::fiber& f = *x.spare;
        x.spare = static_cast<fiber::fiber*>(f.next);
        fiber::destroy_plain(f);
    }
    x.spare_count = 0;
}

}  // namespace artel::argobots
