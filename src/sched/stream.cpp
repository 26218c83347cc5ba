// How the crew's workers carry streams, and streams run units; the header has the rules.
#include "sched/stream.hpp"

#include "base/os/yield.hpp"
#include "fiber/switch.hpp"
#include "sched/crew.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"
#include "sched/stream_access.hpp"
#include "sched/suspend.hpp"

#include <utility>

namespace artel::sched {
namespace {

// After this many turns a stream yields its worker.
constexpr unsigned turns_at_once = base::modelled ? 2 : 64;
// Every this many turns the oldest unit that has not started goes first.
constexpr unsigned turns_until_oldest = base::modelled ? 2 : 8;

// Whether the holder should leave its worker to others: because the worker's bound thread is ready,
// or because the stream has had its share and others wait here. For the bound thread every second
// time only: it may wait, in a loop that yields, for just what the stream has to run.
bool gives_way(worker& w, stream& s) noexcept
{
    ++s.turns;
    // relaxed: a hint; the scheduling loop takes it with acquire.
    return (s.turns % 2 == 0 && w.own_ready.load(std::memory_order_relaxed)) ||
           (s.turns % turns_at_once == 0 && w.has_work());
}

// Queues the stream behind what waits at this worker.
void go_to_the_back(worker& w, stream& s) noexcept
{
    if (base::work* const oldest = w.tasks.steal(); oldest != nullptr) {
        post(w, *oldest, *oldest);
    }
    s.ticket.counted = false;
    post(w, s.ticket, s.ticket);
}

found find(stream& s) noexcept
{
    // relaxed: disabling a stream waits for nothing.
    if (!s.enabled.load(std::memory_order_relaxed)) {
        return {};
    }
    found next = stream_access::take(*s.source, s.turns % turns_until_oldest == 0);
    if (!next) {
        next.fresh = stream_access::take_from_others(s);
    }
    return next;
}

// The fiber with which the worker continues when the stream's next is `next`, and its holder leaves
// it. nullptr, and the holder keeps the stream, when there is no memory for one more scheduling
// loop.
fiber::fiber* go_on_with(worker& w, stream& s, found next) noexcept
{
    if (next.ready != nullptr) {
        fiber::fiber& f = *next.ready;
        f.stream = &s;
        if (f.type != fiber::kind::bound || &f == &w.base) {
            return &f;
        }
        make_bound_ready(f);  // it has the stream now
        return successor(w);  // there is a loop
    }
    fiber::fiber* const loop = acquire_loop(w);
    if (loop == nullptr) {
        s.source->push(*next.fresh);
        return nullptr;
    }
    s.handed = next.fresh;
    s.ticket.counted = false;
    w.handed = &s.ticket;
    return loop;
}

// The fiber that follows a unit that is to be suspended; also passes the stream on, or lets it fall
// asleep.
fiber::fiber* successor_of_unit(worker& w, stream& s) noexcept
{
    // Before the stream is another's: from then on the unit must not go on.
    if (!has_loop(w)) {
        return nullptr;
    }
    if (gives_way(w, s)) {
        go_to_the_back(w, s);
        return successor(w);
    }
    for (;;) {
        if (const found next = find(s)) {
            return go_on_with(w, s, next);
        }
        if (stream_access::fall_asleep(s)) {
            return successor(w);
        }
    }
}

// The holder's part on a scheduling loop: runs units until the stream is another's.
void run_stream(stream* s) noexcept
{
    fiber::fiber& self = *this_worker()->current;
    // It gives way only after it has run something: otherwise, beside a bound thread that is always
    // ready, it would never make progress.
    for (bool has_run = false;; has_run = true) {
        worker& w = *this_worker();
        found next{nullptr, std::exchange(s->handed, nullptr)};
        if (!next) {
            if (has_run && gives_way(w, *s)) {
                go_to_the_back(w, *s);
                return;
            }
            next = find(*s);
        }
        if (!next) {
            if (stream_access::fall_asleep(*s)) {
                return;
            }
            continue;
        }
        if (next.ready != nullptr) {
            fiber::fiber& f = *next.ready;
            f.stream = s;
            if (f.type == fiber::kind::bound && &f != &w.base) {
                make_bound_ready(f);
            } else {
                run_now(w, f);
            }
            return;
        }
        unit& u = *next.fresh;
        self.stream = s;
        self.unit = &u;
        u.run(&self, u);
        s = self.stream;  // it may have moved; the unit may be gone
        self.unit = nullptr;
        self.stream = nullptr;
        if (s == nullptr) {
            return;  // it has ended in code that may block
        }
    }
}

}  // namespace

void stream_access::queue_in_pool(fiber::carrier&, fiber::fiber& previous, void*)
{
    previous.unit->home->push(previous);
}

void stream_access::run_ticket(void* carrier, base::work& self)
{
    auto& ticket = static_cast<stream_ticket&>(self);
    if (std::exchange(ticket.counted, false)) {
        static_cast<worker*>(carrier)->count_concurrent(-1);
    }
    run_stream(ticket.of);
}

bool suspend_unit(worker& w, fiber::after_switch after, void* argument) noexcept
{
    if (const stream_rules* const other = w.current->stream->rules; other != nullptr) {
        return other->suspend(w, after, argument);
    }
    fiber::fiber* const next = successor_of_unit(w, *w.current->stream);
    if (next == nullptr) {
        return false;
    }
    fiber::switch_to(w, *next, after, argument);
    return true;
}

bool yield_to_pool(worker& w) noexcept
{
    stream& s = *w.current->stream;
    if (s.rules != nullptr) {
        return s.rules->yield(w);
    }
    // relaxed: see find.
    if (!s.enabled.load(std::memory_order_relaxed)) {
        return suspend_unit(w, stream_access::queue_in_pool, nullptr);
    }
    if (gives_way(w, s) || !has_loop(w)) {
        return false;
    }
    const found next = stream_access::take(*s.source, s.turns % turns_until_oldest == 0);
    if (!next) {
        return false;
    }
    fiber::fiber* const to = go_on_with(w, s, next);
    if (to == nullptr) {
        return false;
    }
    fiber::switch_to(w, *to, stream_access::queue_in_pool, nullptr);
    return true;
}

void yield_unit() noexcept
{
    if (this_worker()->current->stream == nullptr) {
        base::os::yield();  // in code that may block, where it has the OS thread for itself
        return;
    }
    // When nothing is ready here, the awaited thread may need the CPU. Only now and then, as it
    // costs ten times what a yield does.
    if (!yield_to_pool(*this_worker()) && !yield_to_crew()) {
        worker& w = *this_worker();
        if (w.own_crew.oversubscribed() || w.next_random() % 32 == 0) {
            base::os::yield();
        }
    }
}

void move_to(pool& to) noexcept
{
    worker& w = *this_worker();
    w.current->unit->home = &to;
    if (w.current->stream == nullptr) {
        end_to_block();
        return;
    }
    while (!suspend_unit(*this_worker(), stream_access::queue_in_pool, nullptr)) {
        base::os::yield();  // no memory for a scheduling loop
    }
}

void make_unit_ready(fiber::fiber& f) noexcept
{
    const unit& u = *f.unit;
    if (u.rules != nullptr) {
        u.rules->make_ready(f);
    } else {
        u.home->push(f);
    }
}

void leave_stream(stream& s) noexcept
{
    if (s.rules != nullptr) {
        s.rules->leave(s);
        return;
    }
    if (!stream_access::fall_asleep(s)) {
        stream_access::activate(s);
    }
}

unit* this_unit() noexcept
{
    const worker* const w = this_worker();
    return w != nullptr ? w->current->unit : nullptr;
}

stream* this_stream() noexcept
{
    const worker* const w = this_worker();
    return w != nullptr ? w->current->stream : nullptr;
}

}  // namespace artel::sched
