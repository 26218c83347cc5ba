// How scheduled streams change hands; the header has the rules.
#include "sched/scheduled_stream.hpp"

#include "base/os/yield.hpp"
#include "fiber/switch.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"
#include "sched/stream_access.hpp"
#include "sched/suspend.hpp"

#include <utility>

namespace artel::sched {
namespace {

// A successor; waits until there is memory for one.
fiber::fiber& some_successor(worker& w) noexcept
{
    for (;;) {
        if (fiber::fiber* const next = successor(w); next != nullptr) {
            return *next;
        }
        base::os::yield();
    }
}

// Whether the OS thread of `w` may run it.
bool runs_here(const worker& w, const fiber::fiber& f) noexcept
{
    return f.type != fiber::kind::bound || &f == &w.base;
}

// The argument of a switch to a bound fiber of another OS thread, used once the old context is
// saved.
struct passed {
    fiber::fiber& to;
    fiber::after_switch after;
    void* argument;
};

void pass_to_bound(fiber::carrier& here, fiber::fiber& previous, void* argument)
{
    const passed p = *static_cast<passed*>(argument);
    if (p.after != nullptr) {
        p.after(here, previous, p.argument);
    }
    make_bound_ready(p.to);
}

// Units are foreign code, which may spin until the bound fiber of a guest has done something; that
// can run only on this OS thread.
bool may_carry_stream(const worker& w, const scheduled_stream& s) noexcept
{
    return w.kind != role::guest || s.pinned == &w;
}

void run_ticket(void* carrier, base::work& self)
{
    auto& ticket = static_cast<stream_ticket&>(self);
    worker& w = *static_cast<worker*>(carrier);
    if (std::exchange(ticket.counted, false)) {
        w.count_concurrent(-1);
    }
    auto& s = static_cast<scheduled_stream&>(*ticket.of);
    if (!may_carry_stream(w, s) && post_to_own_worker(w.own_crew, ticket)) {
        return;
    }
    fiber::fiber& f = *s.resumed;
    f.stream = &s;
    if (runs_here(w, f)) {
        run_now(w, f);
    } else {
        make_bound_ready(f);
    }
}

// The `after` functions.
void queue_stream(fiber::carrier& here, fiber::fiber&, void* argument)
{
    auto& s = *static_cast<scheduled_stream*>(argument);
    worker& w = static_cast<worker&>(here);
    if (s.pinned != nullptr) {
        make_pinned_ready(*s.pinned);
    } else {
        post(w, s.ticket, s.ticket);
    }
}

void settle(fiber::carrier&, fiber::fiber&, void* argument)
{
    auto& s = *static_cast<scheduled_stream*>(argument);
    if (!s.sleep.fall_asleep()) {
        activate(s);
    }
}

}  // namespace

scheduled_stream::scheduled_stream() noexcept
{
    ticket.run = run_ticket;
    ticket.of = this;
}

void activate(scheduled_stream& s) noexcept
{
    const worker* const w = this_worker();
    if (s.pinned != nullptr) {
        make_pinned_ready(*s.pinned);
    } else if ((w != nullptr && w->kind != role::guest) ||
               !post_to_own_worker(crew::get(), s.ticket)) {
        stream_access::activate(s);
    }
}

void pass_stream(fiber::fiber& to, fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    to.stream = w.current->stream;
    if (runs_here(w, to)) [[likely]] {
        fiber::switch_to(w, to, after, argument);
    } else {
        passed p{to, after, argument};
        fiber::switch_to(w, some_successor(w), pass_to_bound, &p);
    }
}

void pass_stream_and_end(fiber::fiber& to, fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    to.stream = w.current->stream;
    if (runs_here(w, to)) [[likely]] {
        fiber::exit_to(w, to, after, argument);
    }
    passed p{to, after, argument};
    fiber::exit_to(w, some_successor(w), pass_to_bound, &p);
}

bool suspend_root(worker& w, fiber::after_switch after, void* argument) noexcept
{
    fiber::fiber* const next = successor(w);
    if (next == nullptr) {
        return false;
    }
    fiber::switch_to(w, *next, after, argument);
    return true;
}

void sleep_root(scheduled_stream& s) noexcept
{
    worker& w = *this_worker();
    fiber::fiber* const next = successor(w);
    if (next == nullptr) {
        base::os::yield();
    } else {
        s.resumed = w.current;
        fiber::switch_to(w, *next, settle, &s);
    }
    s.sleep.stay_awake();
}

bool others_wait(worker& w) noexcept
{
    return w.has_work();
}

void rest(scheduled_stream& s) noexcept
{
    worker& w = *this_worker();
    if (base::work* const oldest = w.tasks.steal(); oldest != nullptr) {
        post(w, *oldest, *oldest);
    }
    if (fiber::fiber* const next = successor(w); next != nullptr) {
        s.resumed = w.current;
        fiber::switch_to(w, *next, queue_stream, &s);
    }
}

void rest_without_work(scheduled_stream& s) noexcept
{
    worker& w = *this_worker();
    look_around(w);
    if (w.has_work()) {
        rest(s);
    } else if (w.own_crew.oversubscribed() || w.next_random() % 32 == 0) {
        base::os::yield();
    }
}

void end_stream(fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    fiber::exit_to(w, some_successor(w), after, argument);
}

bool join_pinned(scheduled_stream& s, unit& u) noexcept
{
    worker* const w = enter_scope(s.counted);
    if (w == nullptr) {
        return false;
    }
    fiber::fiber& self = *w->current;
    if (&self == &w->base) {
        s.pinned = w;
        w->pinned = &s.ticket;
        w->own_crew.guest_keeps_to_its_own();
    }
    if (self.stream != nullptr) {
        leave_stream(*std::exchange(self.stream, nullptr));
    }
    s.before = std::exchange(self.unit, &u);
    self.stream = &s;
    return true;
}

void leave_pinned(scheduled_stream& s) noexcept
{
    worker& w = *this_worker();
    fiber::fiber& self = *w.current;
    unit* const before = std::exchange(s.before, nullptr);
    self.unit = before;
    self.stream = nullptr;
    if (s.pinned != nullptr) {
        w.pinned = nullptr;
        s.pinned = nullptr;
    }
    if (std::exchange(s.counted, false)) {
        leave_scope();
    }
    if (before != nullptr) {
        end_to_block();
    }
}

}  // namespace artel::sched
