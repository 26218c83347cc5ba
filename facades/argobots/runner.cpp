// Runners, and contexts of ULTs with a stack of their own: what they run, and how the function of a
// ULT ends. successor.hpp says which unit a stream runs next.
#include "runner.hpp"

#include "base/os/yield.hpp"
#include "base/thread_end.hpp"
#include "leaving.hpp"
#include "runtime.hpp"
#include "sched/crew.hpp"
#include "stack.hpp"
#include "successor.hpp"

#include <utility>

namespace artel::argobots {
namespace {

constexpr unsigned runners_kept = 256;

// Called when the unit has run. If its joiner ran on this stream before, it is resumed directly,
// without going through its pool, and its fiber is the result; else nullptr. The unit may be freed
// afterwards.
fiber::fiber* conclude_for_joiner(thread& t, fiber::fiber& caller, xstream& x) noexcept
{
    if (!t.named) {
        destroy(t);
        return nullptr;
    }
    // acq_rel: as in conclude().
    waiter* const w = t.joiner.exchange(over(), std::memory_order_acq_rel);
    if (w == nullptr || w->next != nullptr) {
        wake_chain(w);
        return nullptr;
    }
    fiber::fiber& who = *w->who;
    auto* const j = static_cast<thread*>(who.unit);
    // A bound fiber of another OS thread is woken in the ordinary way.
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

// Called on a runner whose ULT has ended itself in the middle of its function.
void renew_runner(fiber::carrier& here, fiber::fiber& previous, void* argument)
{
    thread& t = *static_cast<thread*>(argument);
    fiber::prepare(previous, run_units);
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

}  // namespace

void run_units(fiber::fiber& f)
{
    for (;;) {
        thread& t = unit_on(f);
        run_body(t);
        fiber::fiber& caller = *t.caller;
        xstream& x = *static_cast<xstream*>(f.stream);
        // From here on the unit may be freed.
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

void run_on_own_stack(fiber::fiber& f)
{
    run_body(unit_on(f));
    end_self(unit_on(f), nullptr);
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
