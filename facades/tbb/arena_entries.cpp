// task_arena and this_task_arena.
#include "arena_entries.hpp"

#include "arena.hpp"
#include "context.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "light_caller.hpp"
#include "machine.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <utility>

namespace artel::onetbb {
namespace {

using abi::d1::delegate_base;
using abi::d1::task_arena_base;

// relaxed: who uses a task_arena from several threads has initialised it before.
arena* arena_in(const task_arena_base& a) noexcept
{
    abi::r1::arena* const in = a.in.load(std::memory_order_relaxed);
    return in == nullptr ? nullptr : &arena::of(*in);
}

// The thread is in another arena for the length of a block, as an external thread.
class visit {
public:
    visit(thread& me, arena& a) noexcept
        : me_(me), in_(me.in), at_(me.at), index_(me.index), serves_(me.serves), counts_(me.counts),
          seen_(me.observers_seen), outer_(me.now), inside_(a.enter(me, false))
    {
        if (!inside_) {
            return;
        }
        // It is not one of the workers of this arena.
        me.counts = false;
        data_.me = &me;
        data_.original_slot = static_cast<abi::d1::slot_id>(me.index);
        me.now = &data_;
        me.in->observers.tell_entry(me);
    }
    ~visit()
    {
        if (!inside_) {
            return;
        }
        me_.in->observers.tell_exit(me_);
        me_.in->leave(me_);
        me_.in = in_;
        me_.at = at_;
        me_.index = index_;
        me_.serves = serves_;
        me_.counts = counts_;
        me_.observers_seen = seen_;
        me_.now = outer_;
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    explicit operator bool() const noexcept { return inside_; }

private:
    thread& me_;
    arena* const in_;
    slot* const at_;
    const unsigned index_;
    const bool serves_;
    const bool counts_;
    const std::uint64_t seen_;
    execution* const outer_;
    execution data_;
    const bool inside_;
};

// The floating-point settings of an arena for the length of a block.
class arena_settings {
public:
    explicit arena_settings(const arena& a) noexcept
        : before_(read_fp_settings()), now_(a.fp_settings())
    {
        if (now_ != before_) {
            write_fp_settings(now_);
        }
    }
    ~arena_settings()
    {
        if (now_ != before_) {
            write_fp_settings(before_);
        }
    }
    arena_settings(const arena_settings&) = delete;
    arena_settings& operator=(const arena_settings&) = delete;

private:
    const std::uint64_t before_;
    const std::uint64_t now_;
};

// A function that a thread of the arena runs for one that finds no slot there.
class delegated final : public task {
public:
    explicit delegated(delegate_base& f) noexcept : f_(f) {}
    task* execute(abi::d1::execution_data& d) override
    {
        // As if it were not in a task.
        auto& data = static_cast<execution&>(d);
        execution outside;
        outside.me = data.me;
        outside.original_slot = data.original_slot;
        data.me->now = &outside;
        f_();
        data.me->now = &data;
        finish();
        return nullptr;
    }
    task* cancel(abi::d1::execution_data&) override
    {
        finish();
        return nullptr;
    }
    // Zero when it is done.
    abi::d1::wait_context until{1, 1};

    // The task is gone soon after.
    void wait_for_end() noexcept
    {
        // acquire: pairs with finish(). The waker is a moment from its last use.
        while (!over_.load(std::memory_order_acquire)) {
            base::cpu_relax();
        }
    }

private:
    void finish() noexcept
    {
        const auto address = reinterpret_cast<std::uintptr_t>(&until);
        // seq_cst: pairs with done(); and it is the fence before the look for who waits.
        until.references.exchange(0, std::memory_order_seq_cst);
        wake_at(address, ~0U, [](const bunk&) { return true; });
        over_.store(true, std::memory_order_release);  // release: pairs with wait_for_end()
    }

    delegate_base& f_;
    std::atomic<bool> over_{false};
};

// There is no slot: whoever gets to it first runs it, a thread of the arena, or the caller in a
// slot that came free.
void execute_from_outside(thread& me, arena& a, delegate_base& f)
{
    delegated work_there(f);
    task_group_context c;
    c.traits = 0;
    abi::r1::initialize(c);
    bind_slowly(c, nullptr, a.fp_settings());
    prepare(me, work_there, c);
    work_there.isolation = 0;
    a.enqueue(work_there);
    while (!work_there.until.done()) {
        if (const visit inside(me, a); inside) {
            // As one of the arena's threads, so that it may be this one which runs it.
            work(me, nullptr, &work_there.until);
            break;
        }
        sleeper self;
        const auto address = reinterpret_cast<std::uintptr_t>(&work_there.until);
        const stay by_end(waiters_at(address), self, address, 0);
        const stay by_slot(a.entrance(), self, 0, 0);
        // pairs with the fences in finish() and in arena::leave.
        base::full_fence();
        if (!work_there.until.done() && !a.slot_free()) {
            self.sleep();
        }
    }
    work_there.wait_for_end();
    struct end {
        task_group_context& c;
        ~end() { abi::r1::destroy(c); }
    } const at_end{c};
    throw_if_kept(c);
}

struct isolation_scope {
    thread& me;
    std::intptr_t before;
    ~isolation_scope() { me.now->isolation = before; }
};

void enqueue_to(arena& a, task& t, task_group_context& c, thread& me)
{
    prepare(me, t, c);
    t.isolation = 0;
    a.enqueue(t);
}

arena& arena_for(task_arena_base* a, const thread& me) noexcept
{
    arena* const named = a == nullptr ? nullptr : arena_in(*a);
    return named != nullptr ? *named : *me.in;
}

// For callers that may move.
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
}

void terminate(d1::task_arena_base& a)
{
    // relaxed: nobody else uses it meanwhile.
    r1::arena* const in = a.in.exchange(nullptr, std::memory_order_relaxed);
    if (in != nullptr) {
        artel::onetbb::arena::of(*in).drop();
    }
}

bool attach(d1::task_arena_base& a)
{
    artel::onetbb::thread* const me = artel::onetbb::settled_thread();
    if (me == nullptr || me->in == nullptr) {
        return false;
    }
    me->in->refer();
    a.reserved = me->in->reserved();
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
    artel::onetbb::thread& me = artel::onetbb::this_thread();
    const artel::sched::guest_scope scope;
    if (me.in == &to) {
        // In the same arena, but not in the group of the running task.
        artel::onetbb::execution data;
        data.me = &me;
        data.original_slot = static_cast<d1::slot_id>(me.index);
        data.isolation = me.now->isolation;
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

// Hints when workers should stay; they leave soon when there is nothing to do, and come back as
// soon.
void enter_parallel_phase(d1::task_arena_base*, std::uintptr_t) {}
void exit_parallel_phase(d1::task_arena_base*, std::uintptr_t) {}

}  // namespace tbb::detail::r1
