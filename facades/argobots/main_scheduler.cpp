// The main scheduler of an execution stream: the root context that runs it, and its replacement
// while the stream runs.
#include "main_scheduler.hpp"

#include "leaving.hpp"
#include "runner.hpp"
#include "runtime.hpp"
#include "sched/scheduled_stream.hpp"
#include "stack.hpp"
#include "waiters.hpp"

#include <new>
#include <utility>

namespace artel::argobots {
namespace {

// ULTs that have set another main scheduler for their stream, and wait until it runs. There are few
// at any time, so all streams share one list.
sched::fork_lock replacing;  // guards the list, and next_main of all streams
waiter_list replacers{};

thread& ult_of(const waiter& w) noexcept
{
    return *static_cast<thread*>(w.who->unit);
}

// Takes those of the stream out of the list, as a chain. With the lock held.
waiter* take_replacers(const xstream& x) noexcept
{
    waiter* taken = nullptr;
    waiter_list others{};
    for (waiter* w = replacers.take(); w != nullptr;) {
        waiter* const next = w->next;
        if (ult_of(*w).last == &x) {
            w->next = taken;
            taken = w;
        } else {
            others.push(*w);
        }
        w = next;
    }
    replacers = others;
    return taken;
}

// Moves the caller, if it is in a pool of the present scheduler, and the ULTs that wait for a
// scheduler that will now never run, to the first pool of `s`.
int move_replacers(const xstream& x, thread& me, scheduler& s) noexcept
{
    if (s.count == 0) {
        return ABT_SUCCESS;
    }
    replacing.lock();
    waiter* const waiting = take_replacers(x);
    replacing.unlock();
    int error = x.main->has_pool(*me.in) ? associate(me, *s.pools[0]) : ABT_SUCCESS;
    for (const waiter* w = waiting; w != nullptr && error == ABT_SUCCESS; w = w->next) {
        error = associate(ult_of(*w), *s.pools[0]);
    }
    replacing.lock();
    for (waiter* w = waiting; w != nullptr;) {
        waiter* const next = w->next;
        replacers.push(*w);
        w = next;
    }
    replacing.unlock();
    return error;
}

// Called when the function of the main scheduler has returned; true: it is called again. A
// user-defined scheduler may return when it finds nothing, or after each unit, so only a request to
// stop ends it.
bool goes_on(scheduler& s, xstream& x) noexcept
{
    if (x.next_main != nullptr) {
        return false;
    }
    if (x.primary) {
        // The primary ULT needs the root until ABT_finalize, which asks the stream. What the
        // scheduler itself was asked for is done with the return of its function. relaxed: a
        // request that comes at this moment also gets nothing but that return.
        s.requests.store(0, std::memory_order_relaxed);
    }
    if (has_to_stop(s)) {
        return false;
    }
    for (unsigned i = 0; i < s.count; ++i) {
        if (!s.pools[i]->empty()) {
            return true;
        }
    }
    sched::rest_without_work(x);
    return true;
}

// Runs on another stack at the end of a root. Afterwards the stream belongs to its owner.
void root_ended(fiber::carrier&, fiber::fiber& root, void* argument)
{
    xstream& x = *static_cast<xstream*>(argument);
    free_root_context(root);
    x.root = nullptr;
    x.running.store(false, std::memory_order_relaxed);  // relaxed: ordered by the joiner's word
    if (!x.primary) {
        conclude(x.joiner);
    }
}

// Runs the main scheduler until it is to stop.
void run_main(fiber::fiber& f)
{
    xstream& x = *static_cast<xstream*>(f.stream);
    scheduler& s = *x.main;
    f.unit = s.unit;
    s.unit->on = &f;
    s.unit->last = &x;
    s.unit->state.store(ABT_THREAD_STATE_RUNNING,
                        std::memory_order_relaxed);  // relaxed: see state
    do {
        if (s.user_defined) {
            s.def.run(handle_of(&s));
        } else {
            run_scheduler(s);
        }
    } while (goes_on(s, x));
}

// Called when the main scheduler has stopped. True: another one has taken its place.
bool is_replaced(fiber::fiber& f) noexcept
{
    xstream& x = *static_cast<xstream*>(f.stream);
    scheduler& s = *x.main;
    s.unit->on = nullptr;
    s.unit->state.store(ABT_THREAD_STATE_TERMINATED,
                        std::memory_order_relaxed);  // relaxed: see state
    if (x.next_main == nullptr) {
        return false;
    }
    replacing.lock();
    x.main = std::exchange(x.next_main, nullptr);
    waiter* const waiting = take_replacers(x);
    replacing.unlock();
    f.unit = x.main->unit;
    leave_pools(x, s);
    release(s);
    wake_chain(waiting);
    return true;
}

[[noreturn]] void end_root(xstream& x) noexcept
{
    free_runners(x);
    if (x.primary) {
        runtime& r = *current();
        sched::pass_stream_and_end(*r.primary_thread->on, root_ended, &x);
    }
    sched::end_stream(root_ended, &x);
}

}  // namespace

bool watch_pools(xstream& x, scheduler& s) noexcept
{
    for (unsigned i = 0; i < s.count; ++i) {
        if (!s.pools[i]->add_watcher(x, i == 0)) {
            while (i != 0) {
                s.pools[--i]->remove_watcher(x);
            }
            return false;
        }
    }
    return true;
}

void leave_pools(xstream& x, scheduler& s) noexcept
{
    for (unsigned i = 0; i < s.count; ++i) {
        s.pools[i]->remove_watcher(x);
    }
}

bool leaves_nothing_behind(const xstream& x) noexcept
{
    const scheduler& s = *x.main;
    for (unsigned i = 0; i < s.count; ++i) {
        replacing.lock();
        const bool goes_on = x.next_main == nullptr || x.next_main->has_pool(*s.pools[i]);
        replacing.unlock();
        // relaxed: see schedulers. Units that are left belong to the pool's other schedulers, if
        // there are any.
        if (!goes_on && s.pools[i]->schedulers.load(std::memory_order_relaxed) == 1) {
            s.pools[i]->scheduler_stops();  // before its size is read
            if (s.pools[i]->total_size() != 0) {
                return false;
            }
        }
    }
    return true;
}

void release(scheduler& s) noexcept
{
    s.main_of = nullptr;
    s.requests.store(0, std::memory_order_relaxed);  // relaxed: nobody else uses it now
    if (s.automatic) {
        free_scheduler(s);
    }
}

void run_root(fiber::fiber& f)
{
    do {
        run_main(f);
    } while (is_replaced(f));
    end_root(*static_cast<xstream*>(f.stream));
}

void leave_root(fiber::fiber& f) noexcept
{
    if (is_replaced(f)) {
        run_root(f);  // on the rest of its stack
    }
    end_root(*static_cast<xstream*>(f.stream));
}

void forget_replacers_after_fork() noexcept
{
    new (&replacing) sched::fork_lock;
    replacers = {};
}

int set_main(xstream& x, scheduler& s) noexcept
{
    if (!prepare_unit(s, nullptr) || !watch_pools(x, s)) {
        return ABT_ERR_MEM;
    }
    s.main_of = &x;
    if (!x.running.load(std::memory_order_relaxed)) {  // relaxed: its owner knows
        scheduler& old = *std::exchange(x.main, &s);
        leave_pools(x, old);
        release(old);
        return ABT_SUCCESS;
    }
    // The caller, which runs on this stream, moves to the first pool of the new scheduler. The old
    // one stops before the caller continues.
    thread& me = *self_ult();
    if (const int error = move_replacers(x, me, s); error != ABT_SUCCESS) {
        s.main_of = nullptr;
        leave_pools(x, s);
        return error;
    }
    replacing.lock();
    scheduler* const other = std::exchange(x.next_main, &s);
    replacing.unlock();
    if (other != nullptr) {
        leave_pools(x, *other);
        release(*other);
    }
    ask(*x.main, scheduler_request::replace);
    wait(replacing, [&x](waiter& w) noexcept {
        if (x.next_main != nullptr) {
            replacers.push(w);
        }
        return x.next_main != nullptr;
    });
    return ABT_SUCCESS;
}

}  // namespace artel::argobots
