// Tasks that are executed where they are made, before their maker goes on: undeferred ones, those
// of a final task or of a team of one, and those beyond what is queued. Nobody can wait for such a
// task while it is executed, so it is counted nowhere, unless it leaves descendants behind.
//
// Most make no tasks of their own that are queued, and are known to nobody but who executes them.
// So their records are on the stack, until something refers to one that could outlive the body:
// then lasting_task() gives the task, and those that it is executed in the middle of, records that
// stay as long as descendants need them.
#pragma once

#include "base/thread_end.hpp"
#include "settings/task_throttle.hpp"
#include "team/task_cancellation.hpp"
#include "team/team.hpp"

namespace artel::openmp {

// Whether a task that the current task makes now is such a one.
inline bool runs_undeferred(const member& m, bool deferred) noexcept
{
    if (!deferred || m.in->size == 1 || m.current->final) {
        return true;
    }
    const std::size_t queued = m.tasks.size();
    // relaxed: see there.
    return queued > most_queued.load(std::memory_order_relaxed) &&
           queued > std::size_t{64} * m.in->size;
}

// Whether, if it has dependences, it could have to wait for another one: only siblings can be that,
// and only such whose bodies have not ended.
inline bool may_have_predecessors(const member& m) noexcept
{
    // acquire: pairs with the release of take_off: what they did happens before what does not wait
    // for them.
    return (m.current->counts.load(std::memory_order_acquire) & task::children_mask) != 0;
}

// The body of the current task, which began with its record on the stack and has another one by
// now, has ended.
void end_moved(member& m) noexcept;

// Executes one with its record on the stack. May switch.
[[gnu::always_inline]] inline void run_on_stack(member& m, task_function function, void* data,
                                                bool final)
{
    task made(*m.current, final || m.current->final, task::undeferred_record{});
    m.current = &made;
    base::call_program([&] { function(data); });
    if (m.current == &made) [[likely]] {
        m.current = made.parent;  // nobody else has known it
    } else {
        end_moved(m);
    }
}

// Makes and executes one that has no event and, if it has dependences, no predecessors; no tool is
// attached. The body gets `data` itself. May switch.
[[gnu::always_inline]] inline void run_undeferred(member& m, task_function function, void* data,
                                                  bool final)
{
    if (!is_cancelled(*m.in, m.current->group)) [[likely]] {
        run_on_stack(m, function, data, final);
    }
}

// The same with arguments that `copy` constructs: `bytes`, not many, aligned to `alignment`.
inline constexpr long most_copied = 1024;
void run_copied_undeferred(member& m, task_function function, void* data,
                           void (*copy)(void*, void*), std::size_t bytes, std::size_t alignment,
                           bool final);

}  // namespace artel::openmp
