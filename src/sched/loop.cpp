// The scheduling loop, and the order in which a worker takes what is ready. A suspended fiber is
// followed directly by the next ready one; a scheduling loop (itself a plain fiber) takes over only
// when there is none, or when the next work is no fiber. Loops that were left in the middle of a
// resume wait in worker::free_loops.
#include "sched/loop.hpp"

#include "base/fp_control.hpp"
#include "base/os/yield.hpp"
#include "fiber/switch.hpp"
#include "sched/crew.hpp"
#include "sched/program_regions.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"
#include "sched/yield_round.hpp"

#include <utility>

namespace artel::sched {
namespace {

using fiber::carrier;

// A worker keeps no more. Loops move: made where a light thread is suspended, they stay where it is
// resumed, which may be on the same other worker again and again.
constexpr unsigned most_free_loops = base::modelled ? 2 : 64;

void put_loop(worker& w, fiber::fiber& loop) noexcept
{
    loop.next = w.free_loops;
    w.free_loops = &loop;
    ++w.free_loop_count;
}

// Keeps a scheduling loop that has resumed a fiber, for the next time this worker runs out of light
// threads.
void keep_loop(carrier& here, fiber::fiber& loop, void*)
{
    worker& w = as_worker(here);
    if (w.free_loop_count < most_free_loops) [[likely]] {
        put_loop(w, loop);
    } else {
        fiber::destroy_plain(loop);
    }
}

// Claims the bound fiber if it is ready: true obliges the caller to continue it.
bool take_own_ready(worker& w) noexcept
{
    // acquire: pairs with the release in make_bound_ready, so that the bound fiber sees what the
    // waker did. relaxed: a check that saves the exchange.
    return w.own_ready.load(std::memory_order_relaxed) &&
           w.own_ready.exchange(false, std::memory_order_acquire);
}

// The worker is about to run something instead of looking again.
void pay_look(worker& w) noexcept
{
    if (std::exchange(w.owes_look, false)) [[unlikely]] {
        w.own_crew.notify(&w);
    }
}

void free_loop(carrier&, fiber::fiber& loop, void*)
{
    fiber::destroy_plain(loop);
}

[[noreturn]] void scheduling_loop(fiber::fiber&)
{
    // The fiber that ran out of work, for which this loop was made, may have changed it; and so may
    // work that this loop runs.
    const std::uint64_t fp_control = this_worker()->own_crew.fp_control();
    base::set_fp_control(fp_control);
    for (;;) {
        worker& w = *this_worker();  // after a switch this loop may be carried by another worker
        // Handed work first: the next switch may hand over more, and there is room for one item.
        base::work* item = std::exchange(w.handed, nullptr);
        // A worker that comes back is still announced as idle: idle() goes first.
        if (item == nullptr && !w.away) [[likely]] {
            if (take_own_ready(w)) {
                pay_look(w);
                fiber::switch_to(w, w.base, keep_loop, nullptr);
                continue;
            }
            item = find_local(w);
            if (item != nullptr) {
                pay_look(w);
            }
        }
        if (item == nullptr) {
            item = w.own_crew.idle(w);
        }
        if (item != nullptr) {
            item->run(&w, *item);
            base::set_fp_control(fp_control);
        } else if (w.current != &w.base &&
                   (w.away || (w.kind == role::reserve && w.own_crew.ends_now(w)))) {
            fiber::exit_to(w, w.base, free_loop, nullptr);
        }
    }
}

// Moves mail into the worker's own queue, where thieves can reach it.
void sort_mail(worker& w) noexcept
{
    base::work* item = w.mail.take_all();
    while (item != nullptr) {
        base::work* const next = item->next;
        if (!w.ready.push(item)) {
            w.mail.post(*item);  // no memory to grow: it stays in the inbox, which needs none
        }
        item = next;
    }
}

bool pass_on(worker& w, base::work& item) noexcept
{
    return is_persona(item) &&
           send_to_others(w, item, static_cast<const fiber::fiber&>(item).works_for);
}

// The stream that belongs to this OS thread, if it has something to run; it alternates with other
// ready work.
base::work* take_pinned(worker& w) noexcept
{
    // relaxed: a hint that saves the exchange.
    if (!w.pinned_ready.load(std::memory_order_relaxed)) {
        return nullptr;
    }
    w.pinned_turn = !w.pinned_turn;
    // acquire: pairs with the release in make_pinned_ready: the stream as its last holder left it.
    return (w.pinned_turn || (w.ready.empty() && w.mail.empty())) &&
                   w.pinned_ready.exchange(false, std::memory_order_acquire)
               ? w.pinned
               : nullptr;
}

base::work* take_ready(worker& w) noexcept
{
    if (base::work* const pinned = take_pinned(w); pinned != nullptr) {
        return pinned;
    }
    const bool had_mail = !w.mail.empty();
    if (had_mail) {
        sort_mail(w);
    }
    while (!w.ready.empty()) {
        if (base::work* const item = w.ready.steal(); item != nullptr && !pass_on(w, *item)) {
            // While these were mail of an idle worker, they were work for this one, and nobody else
            // was woken for them.
            if (had_mail && !w.ready.empty()) {
                w.own_crew.notify(&w);
            }
            return item;
        }
    }
    // There is mail here only if sort_mail could not grow the queue.
    base::work* const first = w.mail.empty() ? nullptr : w.mail.take_all();
    if (first != nullptr && first->next != nullptr) {
        base::work* last = first->next;
        while (last->next != nullptr) {
            last = last->next;
        }
        w.mail.post(*first->next, *last);
    }
    return first;
}

// The fiber that continues on this worker with `item` (nullptr: whatever a scheduling loop finds):
// the fiber to resume, or a scheduling loop. nullptr when there is no memory for one more loop; the
// item is then back in the inbox.
fiber::fiber* continue_with(worker& w, base::work* item) noexcept
{
    if (item != nullptr && item->run == run_fiber) {
        return static_cast<fiber::fiber*>(item);
    }
    if (item != nullptr) {
        w.handed = item;
    }
    fiber::fiber* const loop = acquire_loop(w);
    if (loop == nullptr && item != nullptr) {
        w.mail.post(*std::exchange(w.handed, nullptr));
    }
    return loop;
}

void queue_previous(carrier& here, fiber::fiber& previous, void*)
{
    worker& w = as_worker(here);
    if (previous.type == fiber::kind::bound) {
        w.own_ready.store(true, std::memory_order_relaxed);  // relaxed: read by this OS thread
    } else {
        previous.run = run_fiber;
        if (!w.ready.push(&previous)) {
            w.mail.post(previous);
        }
    }
}

}  // namespace

bool is_persona(const base::work& item) noexcept
{
    return item.run == run_fiber &&
           static_cast<const fiber::fiber&>(item).type == fiber::kind::persona;
}

void run_fiber(void* here, base::work& self)
{
    run_now(*static_cast<worker*>(here), static_cast<fiber::fiber&>(self));
}

fiber::fiber* successor(worker& w) noexcept
{
    return take_own_ready(w) ? &w.base : continue_with(w, take_ready(w));
}

fiber::fiber* acquire_loop(worker& w) noexcept
{
    if (w.free_loops != nullptr) {
        --w.free_loop_count;
        return std::exchange(w.free_loops, static_cast<fiber::fiber*>(w.free_loops->next));
    }
    return fiber::create_plain(scheduling_loop);
}

bool has_loop(worker& w) noexcept
{
    if (w.free_loops == nullptr) {
        fiber::fiber* const loop = fiber::create_plain(scheduling_loop);
        if (loop == nullptr) {
            return false;
        }
        put_loop(w, *loop);
    }
    return true;
}

base::work* find_local(worker& w) noexcept
{
    if (base::work* const item = take_ready(w); item != nullptr) {
        return item;
    }
    return w.tasks.pop();
}

void run_worker(worker& w) noexcept
{
    fiber::fiber* const loop = fiber::create_plain(scheduling_loop);
    if (loop == nullptr) {
        scheduling_loop(w.base);
    }
    // Returns when the OS thread is to end.
    fiber::switch_to(w, *loop, nullptr, nullptr);
    while (w.free_loops != nullptr) {
        fiber::fiber& last = *w.free_loops;
        w.free_loops = static_cast<fiber::fiber*>(last.next);
        fiber::destroy_plain(last);
    }
    w.free_loop_count = 0;
}

void run_now(worker& here, fiber::fiber& f) noexcept
{
    fiber::switch_to(here, f, keep_loop, nullptr);
}

bool yield_among_ready(worker& w) noexcept
{
    // The bound fiber is in no queue: without this check, light threads that yield to each other
    // would never let it run.
    if (take_own_ready(w)) {
        fiber::switch_to(w, w.base, queue_previous, nullptr);
        return true;
    }
    base::work* const item = take_ready(w);
    if (item == nullptr) {
        return false;
    }
    fiber::fiber* const next = continue_with(w, item);
    if (next == nullptr) {
        return false;
    }
    fiber::switch_to(w, *next, queue_previous, nullptr);
    return true;
}

void finish(fiber::after_switch after, void* argument) noexcept
{
    worker& w = *this_worker();
    fiber::fiber* next = successor(w);
    while (next == nullptr) {
        // no memory for one more scheduling loop: wait until one of the others comes back.
        base::os::yield();
        next = successor(w);
    }
    fiber::exit_to(w, *next, after, argument);
}

bool pass_personas_on() noexcept
{
    worker& w = *this_worker();
    if (!w.mail.empty()) {
        sort_mail(w);
    }
    bool all = w.mail.empty();
    for (std::size_t left = w.ready.size(); left != 0; --left) {
        base::work* const item = w.ready.steal();
        if (item == nullptr || pass_on(w, *item)) {
            continue;
        }
        all = all && !is_persona(*item);
        if (!w.ready.push(item)) {
            w.mail.post(*item);
        }
    }
    if (!w.ready.empty()) {
        w.own_crew.notify(&w);  // others may have missed what was in no queue
    }
    return all;
}

}  // namespace artel::sched
