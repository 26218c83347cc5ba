// A switch is told with both tasks, the one that the member leaves and the one that it enters;
// frames are set before a body runs.
#include "explicit_task.hpp"

#include "team/dependence.hpp"
#include "team/task_cancellation.hpp"
#include "team/team.hpp"

#include <new>
#include <utility>

namespace artel::openmp::ompt {
namespace {

// In a team of one tasks are run where they are made.
int flags_of(const task& t) noexcept
{
    return task_flag::explicit_ | (t.undeferred || t.in->size == 1 ? task_flag::undeferred : 0) |
           (t.untied ? task_flag::untied : 0) | (t.final ? task_flag::final : 0);
}

// Sets this frame as the one from which the program is called, and runs the body.
[[gnu::noinline]] void call_body(task& what) noexcept
{
    what.tool->where.exit.pointer = __builtin_frame_address(0);
    what.tool->where.exit_flags = frame_flag::runtime | frame_flag::frame_pointer;
    what.function(what.data);
    what.tool->where.exit.pointer = nullptr;
}

task_status status_at_end(const task& what) noexcept
{
    if (what.has_more) {
        return task_status::switch_;
    }
    if (what.group != nullptr && is_cancelled(what)) {
        return task_status::cancel;
    }
    const unsigned waits_for = what.undeferred ? 2 : 1;
    // relaxed: an event that is fulfilled at this moment is told by the thread that does so.
    return what.to_end.load(std::memory_order_relaxed) > waits_for ? task_status::detach
                                                                   : task_status::complete;
}

}  // namespace

void open_explicit(task& made, std::size_t bytes, bool mergeable) noexcept
{
    const auto end = reinterpret_cast<std::uintptr_t>(made.data) + bytes;
    const auto place = (end + alignof(task_record) - 1) / alignof(task_record) *
                       alignof(task_record);
    made.tool = new (reinterpret_cast<void*>(place)) task_record{};
    made.tool->flags = flags_of(made) | (mergeable ? task_flag::mergeable : 0);
    made.tool->memory = made.data;
    made.tool->memory_size = bytes;
}

void tell_created(member& m, task& made, std::span<const dependence> clause, caller who) noexcept
{
    task_record& creator = *m.current->tool;
    made.tool->flags |= flags_of(made);
    tell<event::task_create>(&creator.task_data, &creator.where, &made.tool->task_data,
                             made.tool->flags, clause.empty() ? 0 : 1, who.code);
    if (!clause.empty()) {
        tell<event::dependences>(&made.tool->task_data, clause.data(),
                                 static_cast<int>(clause.size()));
    }
}

bool run_explicit(member& m, task& what) noexcept
{
    task& before = *what.tool->interrupted;
    if (!what.must_run && is_cancelled(what)) {
        tell<event::cancel>(&what.tool->task_data,
                            cancel_flag::taskgroup | cancel_flag::discarded_task, nullptr);
        return false;
    }
    const auto why = std::exchange(this_thread().yields, false) ? task_status::yield
                                                                : task_status::switch_;
    tell<event::task_schedule>(&before.tool->task_data, why, &what.tool->task_data);
    {
        if (what.tool->part.iterations != 0) {
            data instance;
            instance.pointer = &what.tool->part;
            tell<event::dispatch>(&m.in->tool.parallel_data, &what.tool->task_data,
                                  dispatch_kind::taskloop_chunk, instance);
        }
        const doing work(m.in->active_level > 0 ? state::work_parallel : state::work_serial);
        call_body(what);
    }
    tell<event::task_schedule>(&what.tool->task_data, status_at_end(what), &before.tool->task_data);
    return true;
}

void begin_in_place(member& m, task& what, void* exit) noexcept
{
    what.tool->interrupted = m.current;
    what.tool->where.exit.pointer = exit;
    what.tool->where.exit_flags = frame_flag::application | frame_flag::frame_pointer;
    tell<event::task_schedule>(&m.current->tool->task_data, task_status::switch_,
                               &what.tool->task_data);
}

void end_in_place(member&, task& what) noexcept
{
    what.tool->where.exit.pointer = nullptr;
    task& before = *what.tool->interrupted;
    tell<event::task_schedule>(&what.tool->task_data, status_at_end(what), &before.tool->task_data);
}

void tell_fulfilled(task& of, bool early) noexcept
{
    tell<event::task_schedule>(&of.tool->task_data,
                               early ? task_status::early_fulfill : task_status::late_fulfill,
                               static_cast<data*>(nullptr));
}

void tell_dependence(task& first, task& second) noexcept
{
    tell<event::task_dependence>(&first.tool->task_data, &second.tool->task_data);
}

depending_wait::depending_wait(member& m, std::span<const dependence> clause, caller who) noexcept
{
    task_record& waiting = *m.current->tool;
    tell<event::task_create>(&waiting.task_data, &waiting.where, &task_data_,
                             task_flag::taskwait | task_flag::undeferred | task_flag::mergeable,
                             clause.empty() ? 0 : 1, who.code);
    tell<event::dependences>(&task_data_, clause.data(), static_cast<int>(clause.size()));
}

depending_wait::~depending_wait()
{
    tell<event::task_schedule>(&task_data_, task_status::taskwait_complete,
                               static_cast<data*>(nullptr));
}

dependence told(const openmp::dependence& d) noexcept
{
    dependence t{{}, dependence_kind::inout};
    t.variable.pointer = d.address;
    if (d.everything) {
        t.kind = dependence_kind::out_all_memory;
        return t;
    }
    switch (d.kind) {
    case depend_kind::in: t.kind = dependence_kind::in; break;
    case depend_kind::out: t.kind = dependence_kind::out; break;
    case depend_kind::inout: t.kind = dependence_kind::inout; break;
    case depend_kind::mutexinoutset: t.kind = dependence_kind::mutexinoutset; break;
    case depend_kind::inoutset: t.kind = dependence_kind::inoutset; break;
    }
    return t;
}

}  // namespace artel::openmp::ompt
