// task_arena and this_task_arena.
#include "arena_entries.hpp"

#include "arena.hpp"
#include "arena_visit.hpp"
#include "context.hpp"
#include "control.hpp"
#include "delegation.hpp"
#include "dispatch.hpp"
#include "foreign/program_yield.hpp"
#include "kept_arena.hpp"
#include "light_caller.hpp"
#include "machine.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <utility>

namespace artel::onetbb {
namespace {

using abi::d1::task_arena_base;

// relaxed: a program that uses a task_arena from several threads has initialised it before.
arena* arena_in(const task_arena_base& a) noexcept
{
    abi::r1::arena* const in = a.in.load(std::memory_order_relaxed);
    return in == nullptr ? nullptr : &arena::of(*in);
}

struct isolation_scope {
    thread& me;
    std::intptr_t before;
    ~isolation_scope() { me.now->isolation = before; }
};

void enqueue_to(arena& a, task& t, task_group_context& c, thread& me)
{
    const kept_arena stays(a);
    prepare(me, t, c);
    t.isolation = 0;
    a.enqueue(t);
}

arena& arena_for(task_arena_base* a, const thread& me) noexcept
{
    arena* const named = a == nullptr ? nullptr : arena_in(*a);
    return named != nullptr ? *named : *me.in;
}

// For callers that may change their OS thread.
arena& arena_for(task_arena_base* a)
{
    arena* const named = a == nullptr ? nullptr : arena_in(*a);
    return named != nullptr ? *named : shared_arena();
}

}  // namespace
}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::arena_for;
using artel::onetbb::arena_in;
using artel::onetbb::call_for_light_thread;
using artel::onetbb::enqueue_for_light_thread;
using artel::onetbb::may_move;
using artel::onetbb::this_thread_in_arena;

void initialize(d1::task_arena_base& a)
{
    artel::onetbb::use_scheduler();
    const bool knows = (a.version_and_traits & d1::task_arena_base::knows_core_types) != 0;
    artel::onetbb::arena_shape shape;
    shape.reserved = a.reserved;
    shape.priority = a.priority;
    shape.numa_id = a.numa_id;
    shape.core_type = knows ? a.core_type : -1;
    shape.max_threads_per_core = knows ? a.max_threads_per_core : -1;
    if (a.max_concurrency < 1) {
        a.max_concurrency = artel::onetbb::concurrency_of(shape.numa_id, shape.core_type,
                                                          shape.max_threads_per_core);
    }
    shape.max_concurrency = a.max_concurrency;
    // release: pairs with the program's acquire of the initialisation state.
    a.in.store(artel::onetbb::arena::make(shape).handle(), std::memory_order_release);
    artel::onetbb::count_task_arena(1);
}

void initialize_once(d1::task_arena_base& a)
{
    enum state { not_begun, going_on, done };
    for (;;) {
        int state = not_begun;
        // acquire: pairs with the release of the thread that has initialised it, below or in the
        // program.
        if (a.initialization.compare_exchange_strong(state, going_on, std::memory_order_acquire,
                                                     std::memory_order_acquire)) {
            initialize(a);
            a.initialization.store(done, std::memory_order_release);  // release: as above
            return;
        }
        if (state == done) {
            return;
        }
        artel::foreign::yield_for_program();
    }
}

void terminate(d1::task_arena_base& a)
{
    // relaxed: nobody else uses it meanwhile.
    r1::arena* const in = a.in.exchange(nullptr, std::memory_order_relaxed);
    if (in != nullptr) {
        artel::onetbb::arena::of(*in).drop();
        artel::onetbb::count_task_arena(-1);
    }
}

bool attach(d1::task_arena_base& a)
{
    artel::onetbb::thread* const me = artel::onetbb::settled_thread();
    if (me == nullptr || me->in == nullptr) {
        return false;
    }
    me->in->refer();
    artel::onetbb::count_task_arena(1);
    a.reserved = me->in->reserved();
    a.priority = me->in->priority();
    a.max_concurrency = static_cast<int>(me->in->reserved() + me->in->max_workers());
    a.in.store(me->in->handle(), std::memory_order_release);  // release: as in initialize
    return true;
}

void execute(d1::task_arena_base& a, d1::delegate_base& f)
{
    if (call_for_light_thread([&] { execute(a, f); })) {
        return;
    }
    artel::onetbb::arena& to = *arena_in(a);
    artel::onetbb::use_scheduler();
    artel::onetbb::thread& me = artel::onetbb::this_thread();
    const artel::sched::guest_scope scope;
    if (me.in == &to) {
        // The caller is in this arena already: the function runs outside of the running task's
        // group and isolation.
        artel::onetbb::execution data;
        data.me = &me;
        data.original_slot = static_cast<d1::slot_id>(me.index);
        data.running = me.now->running;
        artel::onetbb::execution* const outer = std::exchange(me.now, &data);
        struct back {
            artel::onetbb::thread& me;
            artel::onetbb::execution* outer;
            ~back() { me.now = outer; }
        } const at_end{me, outer};
        const artel::onetbb::arena_settings settings(to);
        f();
        return;
    }
    if (const artel::onetbb::visit inside(me, to); inside) {
        const artel::onetbb::arena_settings settings(to);
        f();
        return;
    }
    if (me.in == nullptr) {
        artel::onetbb::enter_own_arena(me);
    }
    artel::onetbb::execute_from_outside(me, to, f);
}

void wait(d1::task_arena_base& a)
{
    if (call_for_light_thread([&] { wait(a); })) {
        return;
    }
    artel::onetbb::arena& of = *arena_in(a);
    artel::onetbb::use_scheduler();
    artel::onetbb::thread& me = artel::onetbb::this_thread();
    const artel::sched::guest_scope scope;
    if (me.in == &of) {
        of.wait_until_empty(me);
        return;
    }
    const artel::onetbb::visit inside(me, of);
    of.wait_until_empty(me);
}

int max_concurrency(const d1::task_arena_base* a)
{
    const artel::onetbb::arena* in = a == nullptr ? nullptr : arena_in(*a);
    if (a == nullptr) {
        const artel::onetbb::thread* const me = artel::onetbb::settled_thread();
        in = me == nullptr ? nullptr : me->in;
    }
    if (in != nullptr) {
        return in->concurrency();
    }
    if (a != nullptr && a->max_concurrency == 1) {
        return 1;
    }
    if (a != nullptr) {
        const bool knows = (a->version_and_traits & d1::task_arena_base::knows_core_types) != 0;
        return artel::onetbb::concurrency_of(a->numa_id, knows ? a->core_type : -1,
                                             knows ? a->max_threads_per_core : -1);
    }
    return static_cast<int>(artel::onetbb::default_concurrency());
}

void isolate_within_arena(d1::delegate_base& f, std::intptr_t isolation)
{
    if (call_for_light_thread([&] { isolate_within_arena(f, isolation); })) {
        return;
    }
    artel::onetbb::thread& me = this_thread_in_arena();
    const artel::onetbb::isolation_scope scope{me, me.now->isolation};
    me.now->isolation = isolation != 0 ? isolation : reinterpret_cast<std::intptr_t>(&f);
    f();
}

void enqueue(d1::task& t, d1::task_group_context& c, d1::task_arena_base* a)
{
    if (may_move()) {
        enqueue_for_light_thread(arena_for(a), t, c);
        return;
    }
    artel::onetbb::thread& me = this_thread_in_arena();
    artel::onetbb::enqueue_to(arena_for(a, me), t, c, me);
}

void enqueue(d1::task& t, d1::task_arena_base* a)
{
    if (may_move()) {
        artel::onetbb::arena& to = arena_for(a);
        enqueue_for_light_thread(to, t, to.context());
        return;
    }
    artel::onetbb::thread& me = this_thread_in_arena();
    artel::onetbb::arena& to = arena_for(a, me);
    artel::onetbb::enqueue_to(to, t, to.context(), me);
}

void submit(d1::task& t, d1::task_group_context& c, r1::arena* a, std::uintptr_t critical)
{
    artel::onetbb::arena& to = artel::onetbb::arena::of(*a);
    const artel::onetbb::kept_arena stays(to);
    to.note_use();
    if (may_move()) {
        artel::onetbb::prepare_for_light_thread(to, t, c);
        if (critical != 0) {
            t.slots |= artel::onetbb::is_critical;
        }
        (critical != 0 ? to.critical : to.submitted).put(t);
        to.work_added(0);
        return;
    }
    artel::onetbb::thread& me = this_thread_in_arena();
    artel::onetbb::prepare(me, t, c);
    const std::intptr_t isolation = me.in == & to ? t.isolation : t.isolation = 0;
    if (critical != 0) {
        t.slots |= artel::onetbb::is_critical;
        to.critical.put(t);
        to.work_added(isolation);
    } else if (me.in == &to) {
        me.at->pool.push(t);
        to.work_added(isolation);
    } else {
        to.submitted.put(t);
        to.work_added(isolation);
    }
}

d1::slot_id execution_slot(const d1::task_arena_base& a)
{
    const artel::onetbb::thread* const me = artel::onetbb::settled_thread();
    const artel::onetbb::arena* const in = arena_in(a);
    return me != nullptr && in != nullptr && me->in == in ? static_cast<d1::slot_id>(me->index)
                                                          : d1::no_slot;
}

// Hints that workers should stay. Ignored: workers without tasks leave soon, and come back as
// quickly.
void enter_parallel_phase(d1::task_arena_base*, std::uintptr_t) {}
void exit_parallel_phase(d1::task_arena_base*, std::uintptr_t) {}

}  // namespace tbb::detail::r1
