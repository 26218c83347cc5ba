// spawn, wait, and the loop in which tasks run.
#include "dispatch.hpp"

#include "arena.hpp"
#include "context.hpp"
#include "light_caller.hpp"
#include "sched/guest_scope.hpp"

#include <utility>

namespace artel::onetbb {
namespace {

// Runs tasks one after the other within one call of the interface.
class runner {
public:
    explicit runner(thread& me) noexcept
        : me_(me), outer_(me.now), fp_before_(read_fp_settings()), fp_(fp_before_)
    {
        data_.me = &me;
        data_.isolation = outer_->isolation;
        data_.original_slot = outer_->original_slot;
        data_.outermost = false;
        data_.critical = outer_->critical;
        data_.takes_enqueued = outer_->outermost;
        me.now = &data_;
    }
    ~runner()
    {
        me_.now = outer_;
        if (fp_ != fp_before_) {
            write_fp_settings(fp_before_);
        }
    }
    runner(const runner&) = delete;
    runner& operator=(const runner&) = delete;

    // Runs the task, and those that it returns.
    void run(task* t) noexcept
    {
        while (t != nullptr) {
            begin(*t);
            try {
                while (t != nullptr) {
                    data_.running = t;
                    task* const next = is_cancelled(*data_.context) ? t->cancel(data_)
                                                                    : t->execute(data_);
                    t = next;
                    data_.affinity_slot = abi::d1::no_slot;
                    if (t != nullptr) {
                        t->context = data_.context;
                        t->isolation = data_.isolation;
                        t->slots = abi::d1::no_slot;
                        data_.original_slot = static_cast<abi::d1::slot_id>(me_.index);
                        if (task* const first = critical_before(*t); first != nullptr) {
                            t = first;
                            break;
                        }
                    }
                }
            } catch (...) {
                // The task still exists: its cancel() ends it.
                keep_exception(*data_.context);
                me_.now = &data_;
            }
        }
        data_.running = nullptr;
        data_.context = nullptr;  // the context may be destroyed, and its storage reused
    }

    // Called between tasks: restores the isolation of the thread that waits, and whether it is in a
    // critical task.
    void go_on_waiting() noexcept
    {
        data_.isolation = outer_->isolation;
        data_.critical = outer_->critical;
    }

private:
    // A critical task that goes before `t`, which is then put back among the spawned tasks; nullptr
    // without one.
    task* critical_before(task& t)
    {
        arena& in = *me_.in;
        if (in.critical.empty() || data_.critical) [[likely]] {
            return nullptr;
        }
        task* const first = in.critical.get(data_.isolation);
        if (first != nullptr) {
            const std::intptr_t isolation = t.isolation;
            me_.at->pool.push(t);
            in.work_added(isolation);
        }
        return first;
    }

    void begin(const task& t) noexcept
    {
        data_.isolation = t.isolation;
        data_.affinity_slot = static_cast<abi::d1::slot_id>(t.slots);
        data_.critical = (t.slots & is_critical) != 0;
        if (data_.context != t.context) {
            data_.context = t.context;
            if (t.context->fp_settings != fp_) {
                fp_ = t.context->fp_settings;
                write_fp_settings(fp_);
            }
        }
    }

    thread& me_;
    execution* const outer_;
    execution data_;
    const std::uint64_t fp_before_;
    std::uint64_t fp_;
};

}  // namespace

void work(thread& me, task* t, const abi::d1::wait_context* until) noexcept
{
    runner here(me);
    for (;;) {
        me.in->tasks_taken();
        here.run(t);
        here.go_on_waiting();
        // Only counted workers have a place that they can give to another arena.
        if (until != nullptr ? until->done() : me.counts && me.in->higher_levels_ask()) {
            return;
        }
        t = me.own_task();
        if (t != nullptr) {
            continue;
        }
        if (until == nullptr) {
            return;
        }
        t = me.in->seek(me, until, false);
        if (t == nullptr) {
            return;
        }
        report_entry(me, *t);
    }
}

void report_entry(thread& me, const task& before) noexcept
{
    try {
        me.in->observers.tell_entry(me);
    } catch (...) {
        keep_exception(*before.context);
    }
}

void prepare(thread& me, task& t, abi::d1::task_group_context& c) noexcept
{
    make_part_of(c, t, me.now->isolation, me.now->context, me.in->fp_settings());
}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

using artel::onetbb::call_for_light_thread;
using artel::onetbb::enqueue_for_light_thread;
using artel::onetbb::may_move;
using artel::onetbb::prepare;
using artel::onetbb::shared_arena;
using artel::onetbb::this_thread_in_arena;
using artel::onetbb::thread;

void spawn(d1::task& t, d1::task_group_context& c)
{
    if (may_move()) {
        enqueue_for_light_thread(shared_arena(), t, c);
        return;
    }
    thread& me = this_thread_in_arena();
    prepare(me, t, c);
    const std::intptr_t isolation = t.isolation;
    me.at->pool.push(t);
    me.in->work_added(isolation);
}

void spawn(d1::task& t, d1::task_group_context& c, d1::slot_id to)
{
    if (may_move()) {
        enqueue_for_light_thread(shared_arena(), t, c);
        return;
    }
    thread& me = this_thread_in_arena();
    prepare(me, t, c);
    const std::intptr_t isolation = t.isolation;
    if (to < me.in->slots() && to != me.index) {
        t.slots = to;
        auto& p = artel::onetbb::proxy::make(*me.memory, t, to);
        me.in->slot_of(to).mail.put(p);
        me.at->pool.push(p);
    } else {
        me.at->pool.push(t);
    }
    me.in->work_added(isolation);
}

void execute_and_wait(d1::task& t, d1::task_group_context& c, d1::wait_context& until,
                      d1::task_group_context& waiting)
{
    if (call_for_light_thread([&] { execute_and_wait(t, c, until, waiting); })) {
        return;
    }
    thread& me = this_thread_in_arena();
    prepare(me, t, c);
    const artel::sched::guest_scope scope;
    artel::onetbb::work(me, &t, &until);
    artel::onetbb::throw_if_kept(waiting);
}

void wait(d1::wait_context& until, d1::task_group_context& waiting)
{
    if (!until.done()) {
        if (call_for_light_thread([&] { wait(until, waiting); })) {
            return;
        }
        thread& me = this_thread_in_arena();
        const artel::sched::guest_scope scope;
        artel::onetbb::work(me, nullptr, &until);
    } else {
        artel::onetbb::use_scheduler();
    }
    artel::onetbb::throw_if_kept(waiting);
}

// The program's inlined release of the count is a locked operation, so it is the fence.
void notify_waiters(std::uintptr_t address)
{
    artel::onetbb::wake_at(address, ~0U, [](const artel::onetbb::wait_node&) { return true; });
}

d1::slot_id execution_slot(const d1::execution_data* data)
{
    if (data != nullptr) {
        const thread* const me = static_cast<const artel::onetbb::execution*>(data)->me;
        return static_cast<d1::slot_id>(me->index);
    }
    // A thread that has no arena of its own yet will have the first slot there.
    const thread* const me = artel::onetbb::settled_thread();
    return me != nullptr ? static_cast<d1::slot_id>(me->index) : d1::no_slot;
}

d1::task_group_context* current_context()
{
    artel::onetbb::use_scheduler();
    const thread* const me = artel::onetbb::settled_thread();
    return me == nullptr || me->now->outermost ? nullptr : me->now->context;
}

d1::task* current_task_ptr()
{
    const thread* const me = artel::onetbb::settled_thread();
    return me == nullptr ? nullptr : me->now->running;
}

d1::wait_tree_vertex_interface* get_thread_reference_vertex(d1::wait_tree_vertex_interface* v)
{
    return v;
}

}  // namespace tbb::detail::r1
