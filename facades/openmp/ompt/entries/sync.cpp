// A construct with a wait inside is an object of sync_region, whose constructor and destructor tell
// the tool of its beginning and end, and begin_wait and end_wait of the wait.
#include "sync.hpp"

#include "ompt/events/explicit_task.hpp"
#include "tasking/task_depend.hpp"

namespace artel::openmp::ompt {
namespace {

state state_of(sync_kind kind) noexcept
{
    switch (kind) {
    case sync_kind::barrier_explicit: return state::wait_barrier_explicit;
    case sync_kind::barrier_implicit_workshare: return state::wait_barrier_implicit_workshare;
    case sync_kind::barrier_implicit_parallel: return state::wait_barrier_implicit_parallel;
    case sync_kind::barrier_teams: return state::wait_barrier_teams;
    case sync_kind::taskwait: return state::wait_taskwait;
    case sync_kind::taskgroup: return state::wait_taskgroup;
    default: return state::wait_barrier_implementation;
    }
}

template <class Wait>
auto tell_wait(caller who, sync_kind kind, Wait wait)
{
    member& m = this_member();
    const in_runtime here(*m.current, who);
    sync_region region(m, kind, who);
    const doing waiting(state_of(kind));
    struct ending {
        sync_region& of;
        ~ending() { of.end_wait(); }
    };
    region.begin_wait();
    const ending last{region};
    return wait(m);
}

}  // namespace

sync_region::sync_region(member& m, sync_kind kind, caller who) noexcept
    : task_(*m.current->tool), parallel_(&m.in->tool.parallel_data), kind_(kind), code_(who.code)
{
    tell<event::sync_region>(kind_, endpoint::begin, parallel_, &task_.task_data, code_);
}

sync_region::~sync_region()
{
    tell<event::sync_region>(kind_, endpoint::end, parallel_, &task_.task_data, code_);
}

void sync_region::begin_wait() noexcept
{
    tell<event::sync_region_wait>(kind_, endpoint::begin, parallel_, &task_.task_data, code_);
}

void sync_region::end_wait() noexcept
{
    tell<event::sync_region_wait>(kind_, endpoint::end, parallel_, &task_.task_data, code_);
}

void tell_barrier(caller who, sync_kind kind)
{
    tell_wait(who, kind, [](member& m) { barrier(m); });
}

bool tell_barrier_cancel(caller who, sync_kind kind)
{
    return tell_wait(who, kind, [](member& m) { return barrier_cancel(m); });
}

void tell_taskwait(caller who)
{
    tell_wait(who, sync_kind::taskwait, [](member& m) { task_wait(m); });
}

void tell_taskwait_depend(caller who, std::span<const openmp::dependence> clause,
                          std::span<const dependence> told)
{
    member& m = this_member();
    const in_runtime here(*m.current, who);
    const depending_wait task(m, told, who);
    const doing waiting(state::wait_taskwait);
    task_wait_depend(m, clause);
}

void tell_taskyield(caller who)
{
    member& m = this_member();
    const in_runtime here(*m.current, who);
    const yielding now;
    task_yield(m);
}

void tell_taskgroup_begin(caller who)
{
    member& m = this_member();
    taskgroup_begin(m);
    tell<event::sync_region>(sync_kind::taskgroup, endpoint::begin, &m.in->tool.parallel_data,
                             &m.current->tool->task_data, who.code);
}

void end_told_taskgroup(member& m, caller who, void (*end)(member&))
{
    data* const parallel = &m.in->tool.parallel_data;
    data* const task = &m.current->tool->task_data;
    const doing waiting(state::wait_taskgroup);
    tell<event::sync_region_wait>(sync_kind::taskgroup, endpoint::begin, parallel, task, who.code);
    end(m);
    tell<event::sync_region_wait>(sync_kind::taskgroup, endpoint::end, parallel, task, who.code);
    tell<event::sync_region>(sync_kind::taskgroup, endpoint::end, parallel, task, who.code);
}

void tell_taskgroup_end(caller who, void (*end)(member&))
{
    member& m = this_member();
    const in_runtime here(*m.current, who);
    end_told_taskgroup(m, who, end);
}

void tell_reduction(caller who, endpoint at)
{
    const member& m = this_member();
    tell<event::reduction>(sync_kind::reduction, at, &m.in->tool.parallel_data,
                           &m.current->tool->task_data, who.code);
}

}  // namespace artel::openmp::ompt
