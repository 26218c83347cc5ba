// Tasks: submission, execution in place, waiting, events.
//
// Untied tasks come in parts: at a scheduling point the body stores the next part, submits the task
// again and returns. As a rule the member that ran this part is free and runs the next one at once.
// Where the task was run by another one's taskyield, that one goes on, and the rest is queued
// (give_turn).
#include "task.hpp"

#include "helpers.hpp"
#include "ompt/entries/sync.hpp"
#include "ompt/events/explicit_task.hpp"
#include "task_groups.hpp"
#include "tasking/task_reduction.hpp"
#include "tasking/undeferred.hpp"
#include "team/task_cancellation.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace artel::openmp::kmp {
namespace {

void submit(task& t, std::span<const dependence> dependences)
{
    member& m = this_member();
    openmp::task& of = ours(t);
    frame& f = frame_of(t);
    if (f.submitted) {
        f.again = true;
        return;
    }
    f.submitted = true;
    take_priority(t);
    if (f.helped && !of.undeferred) [[unlikely]] {
        let_help(t);
    }
    if (of.undeferred && !dependences.empty()) {
        task_wait_depend(m, dependences);
        dependences = {};
    }
    submit_task(m, of, dependences);
}

void tell_submit(ompt::caller who, task& t, std::span<const dependence> dependences,
                 std::span<const ompt::dependence> told = {})
{
    member& m = this_member();
    const ompt::in_runtime here(*m.current, who);
    if (!frame_of(t).submitted) {
        ompt::tell_created(m, ours(t), told, who);
    }
    submit(t, dependences);
}

void begin_told_in_place(ompt::caller who, task& t, void* callers_frame)
{
    member& m = this_member();
    {
        const ompt::in_runtime here(*m.current, who);
        ours(t).undeferred = true;  // for the tool only
        ompt::tell_created(m, ours(t), {}, who);
        ours(t).undeferred = false;
    }
    // While the body runs its parent is in the runtime.
    m.current->tool->where.enter.pointer = who.frame;
    m.current->tool->where.enter_flags = ompt::frame_flag::runtime |
                                         ompt::frame_flag::frame_pointer;
    ompt::begin_in_place(m, ours(t), callers_frame);
    begin_in_place(m, ours(t));
}

void end_told_in_place(task& t)
{
    member& m = this_member();
    ompt::end_in_place(m, ours(t));
    openmp::task& parent = *ours(t).parent;
    end_in_place(m, ours(t));
    parent.tool->where.enter.pointer = nullptr;
}

}  // namespace

void take_priority(task& t) noexcept
{
    if ((frame_of(t).flags & priority) != 0) [[unlikely]] {
        ours(t).priority = std::min(std::max(t.second.priority, 0), globals().max_task_priority);
    }
}

namespace {

// Submits a task with dependences. They are ignored when the task runs at once and no sibling runs:
// there is none to wait for, and none can come to wait for it.
void submit_after(task& t, std::int32_t count, const depend_item* items, std::int32_t more,
                  const depend_item* more_items)
{
    const member& m = this_member();
    const openmp::task& of = ours(t);
    // relaxed: not shared yet.
    if (of.to_end.load(std::memory_order_relaxed) == 1 && !frame_of(t).helped &&
        runs_undeferred(m, !of.undeferred) && !may_have_predecessors(m)) {
        submit(t, {});
    } else {
        submit(t, dependences_of(count, items, more, more_items));
    }
}

}  // namespace

ARTEL_KMP std::int32_t __kmpc_omp_task(const ident*, std::int32_t, task* t)
{
    ARTEL_OMPT_EITHER((tell_submit(who, *t, {}), 0), (submit(*t, {}), 0));
}

ARTEL_KMP std::int32_t __kmpc_omp_task_parts(const ident*, std::int32_t, task* t)
{
    ARTEL_OMPT_EITHER((tell_submit(who, *t, {}), 0), (submit(*t, {}), 0));
}

ARTEL_KMP std::int32_t __kmpc_omp_task_with_deps(const ident*, std::int32_t, task* t,
                                                 std::int32_t count, const depend_item* items,
                                                 std::int32_t more, const depend_item* more_items)
{
    ARTEL_OMPT_EITHER((tell_submit(who, *t, dependences_of(count, items, more, more_items),
                                   told_dependences(count, items, more, more_items)),
                       0),
                      (submit_after(*t, count, items, more, more_items), 0));
}

ARTEL_KMP void __kmpc_omp_wait_deps(const ident*, std::int32_t, std::int32_t count,
                                    const depend_item* items, std::int32_t more,
                                    const depend_item* more_items)
{
    ARTEL_OMPT_EITHER(
        tell_taskwait_depend(who, dependences_of(count, items, more, more_items),
                             told_dependences(count, items, more, more_items)),
        task_wait_depend(this_member(), dependences_of(count, items, more, more_items)));
}

// With nowait it is a task without a body.
ARTEL_KMP void __kmpc_omp_taskwait_deps_51(const ident*, std::int32_t, std::int32_t count,
                                           const depend_item* items, std::int32_t more,
                                           const depend_item* more_items, std::int32_t nowait)
{
    if (nowait != 0) {
        task* const t = &make_task(this_member(), tied, sizeof(task), 0, nullptr);
        ARTEL_OMPT_EITHER(tell_submit(who, *t, dependences_of(count, items, more, more_items),
                                      told_dependences(count, items, more, more_items)),
                          submit_after(*t, count, items, more, more_items));
    }
    ARTEL_OMPT_EITHER(
        tell_taskwait_depend(who, dependences_of(count, items, more, more_items),
                             told_dependences(count, items, more, more_items)),
        task_wait_depend(this_member(), dependences_of(count, items, more, more_items)));
}

// A task whose if clause is false: the compiler calls its body between these two calls.
ARTEL_KMP void __kmpc_omp_task_begin_if0(const ident*, std::int32_t, task* t)
{
    frame_of(*t).submitted = true;
    ARTEL_OMPT_TELL(begin_told_in_place(who, *t, *static_cast<void**>(__builtin_frame_address(0))));
    openmp::begin_in_place(this_member(), ours(*t));
}

ARTEL_KMP void __kmpc_omp_task_complete_if0(const ident*, std::int32_t, task* t)
{
    if (frame_of(*t).again) {
        run_parts(*t);
    }
    destroy_privates(*t);
    ARTEL_OMPT_TELL(end_told_in_place(*t));
    openmp::end_in_place(this_member(), ours(*t));
}

// Calls the body of a task that another part of the program holds.
ARTEL_KMP void __kmpc_invoke_task_func(std::int32_t global, task* t)
{
    t->body(global, t);
}

ARTEL_KMP std::int32_t __kmpc_omp_taskwait(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER((tell_taskwait(who), 0), (task_wait(this_member()), 0));
}

ARTEL_KMP std::int32_t __kmpc_omp_taskyield(const ident*, std::int32_t, std::int32_t)
{
    ARTEL_OMPT_EITHER((tell_taskyield(who), 0), (task_yield(this_member()), 0));
}

// The handle is our task; omp_fulfill_event is shared by all compilers.
ARTEL_KMP void* __kmpc_task_allow_completion_event(const ident*, std::int32_t, task* t)
{
    return &expect_event(*t);
}

ARTEL_KMP void __kmpc_proxy_task_completed(std::int32_t, task* t)
{
    fulfill_event(&ours(*t));
}

ARTEL_KMP void __kmpc_proxy_task_completed_ooo(task* t)
{
    fulfill_event(&ours(*t));
}

// A hint on where the task should run, which may be ignored.
ARTEL_KMP std::int32_t __kmpc_omp_reg_task_with_affinity(const ident*, std::int32_t, task*,
                                                         std::int32_t, void*)
{
    return 0;
}

// Whether tasks of the caller's team may run on other members.
ARTEL_KMP bool __kmpc_omp_has_task_team(std::int32_t)
{
    return this_member().in->size > 1;
}

// Null: target tasks end when their body returns.
ARTEL_KMP void** __kmpc_omp_get_target_async_handle_ptr(std::int32_t)
{
    return nullptr;
}

}  // namespace artel::openmp::kmp
