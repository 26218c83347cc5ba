// Tasks that are executed at once, before their maker continues: undeferred ones, those of a final
// task or of a team of one, and those made while too many are queued. Nobody can wait for such a
// task while it runs, so no count includes it unless it leaves descendants behind.
//
// Most queue no tasks of their own, and only the member that executes them knows them. So their
// records are on the stack, until something refers to one that could outlive the body: then
// lasting_task() moves the task, and the tasks that it is nested in, to records that stay as long
// as descendants need them.
#pragma once

#include "base/thread_end.hpp"
#include "settings/task_throttle.hpp"
#include "team/task_cancellation.hpp"
#include "team/team.hpp"

namespace artel::openmp {

// Whether a task that the current task makes now is executed at once.
inline bool runs_undeferred(const member& m, bool deferred) noexcept
{
    if (!deferred || m.in->size == 1 || m.current->final) {
        return true;
    }
    const std::size_t queued = m.tasks.size();
    // relaxed: see most_queued.
    return queued > most_queued.load(std::memory_order_relaxed) &&
           queued > std::size_t{64} * m.in->size;
}

// Whether a new task with dependences could have to wait: its predecessors can only be siblings
// whose bodies have not ended.
inline bool may_have_predecessors(const member& m) noexcept
{
    // acquire: pairs with the release of take_off: what ended siblings did happens before a task
    // that does not wait for them.
    return (m.current->counts.load(std::memory_order_acquire) & task::children_mask) != 0;
}

// Ends the current task, whose record was moved off the stack while its body ran.
void end_moved(member& m) noexcept;

// Executes a task with its record on the stack. May switch.
[[gnu::always_inline]] inline void run_on_stack(member& m, task_function function, void* data,
                                                bool final)
{
    task made(*m.current, final || m.current->final, task::undeferred_record{});
    m.current = &made;
    base::call_program([&] { function(data); });
    if (m.current == &made) [[likely]] {
        m.current = made.parent;  // no one else refers to it
    } else {
        end_moved(m);
    }
}

// Makes and executes a task that has no event and, if it has dependences, no predecessors, while no
// tool is attached. The body gets `data` itself. May switch.
[[gnu::always_inline]] inline void run_undeferred(member& m, task_function function, void* data,
                                                  bool final)
{
    if (!is_cancelled(*m.in, m.current->group)) [[likely]] {
        run_on_stack(m, function, data, final);
    }
}

// The same with arguments that `copy` constructs: `bytes` of at most most_copied, aligned to
// `alignment`.
inline constexpr long most_copied = 1024;
void run_copied_undeferred(member& m, task_function function, void* data,
                           void (*copy)(void*, void*), std::size_t bytes, std::size_t alignment,
                           bool final);

}  // namespace artel::openmp
