// Creating, executing and waiting for explicit tasks; and barriers, because members that wait in
// one execute tasks.
#pragma once

#include "ompt/interface/attached.hpp"
#include "team/dependence.hpp"
#include "team/team.hpp"

#include <cstddef>
#include <span>

namespace artel::openmp {

struct task_options {
    bool deferred = true;  // if clause
    bool final = false;
    bool untied = false;
    bool mergeable = false;
    bool must_run = false;  // task::must_run
    int priority = 0;
    std::span<const dependence> dependences{};  // the depend clause (task_depend.hpp)
    void* detach = nullptr;
};

// Creates a task: copies the arguments (by `copy` when given, else memcpy) and queues it, or runs
// it at once when undeferred. An undeferred task first waits for its predecessors. May switch.
void create_task(member& m, task_function function, void* data, void (*copy)(void*, void*),
                 std::size_t bytes, std::size_t alignment, const task_options& options);

// The same while a tool is attached: it is told that `who` made the task, with the dependences
// `told`. `part`: the task's share of a taskloop.
void create_told_task(member& m, task_function function, void* data, void (*copy)(void*, void*),
                      std::size_t bytes, std::size_t alignment, const task_options& options,
                      std::span<const ompt::dependence> told, ompt::caller who,
                      ompt::chunk part = {});

// create_task in two halves, for compilers that fill in the arguments themselves. The new task has
// `bytes` for its arguments at task::data, and is shared with nobody. `detach` is ignored. Ends the
// program when there is no memory.
task& prepare_task(member& m, std::size_t bytes, std::size_t alignment,
                   const task_options& options);

// The same while a tool is attached: with a record for the tool.
task& prepare_told_task(member& m, std::size_t bytes, std::size_t alignment,
                        const task_options& options);

// Queues a prepared task, or runs it at once when it may not be deferred. May switch.
void submit_task(member& m, task& made, std::span<const dependence> dependences);

// Ends the program for want of memory.
[[noreturn]] void no_task_memory() noexcept;

// Frees a prepared task that will never run.
void discard_task(member& m, task& made) noexcept;

// The caller executes the body of a prepared task in place, between these two calls. They do not
// wait for the event of a detached task.
void begin_in_place(member& m, task& made) noexcept;
void end_in_place(member& m, task& made);

void wait_for_children(member& m);  // the slow path of task_wait()
// Waits until the bodies of all children of the current task have ended, running descendants
// meanwhile. May switch.
inline void task_wait(member& m)
{
    const task& t = *m.current;
    // acquire: pairs with the release of take_off.
    if ((t.counts.load(std::memory_order_acquire) & task::children_mask) != 0 ||
        t.dependences != nullptr) {
        wait_for_children(m);
    }
}

// taskwait with a depend clause: waits for the tasks that a task with this clause would depend on.
// May switch.
void task_wait_depend(member& m, std::span<const dependence> clause);

// Waits until the event of `of`, a detached undeferred task whose body has ended, is fulfilled. May
// switch.
void wait_for_event(member& m, task& of);

// Runs one task if one may run here. May switch.
void task_yield(member& m);

// `workshare`: taskgroup::workshare.
void taskgroup_begin(member& m, bool workshare = false);
void taskgroup_end(member& m);

// The group that `cancel taskgroup` in task `t` cancels; nullptr when there is none.
taskgroup* cancellable_group(const task& t) noexcept;

// An estimate of whether any member of the team has a task queued.
bool tasks_queued(const team& t) noexcept;

// The wake reason of members that may run tasks: some are queued.
wake_reason tasks_reason(const team& t) noexcept;

// Wakes one member that sleeps and could run tasks; false when there is none.
bool wake_helper(team& t) noexcept;

// After a task was queued: does that if a worker is idle; if not, the monitor does it when nobody
// comes for the task (stalled_tasks.hpp). Makes a full fence.
void call_helpers(team& t) noexcept;

// omp_fulfill_event: the event of a detached task. Any thread.
void fulfill_event(void* event);

// Called when all tasks of the team are complete, before the team is reused or freed: waits until
// no thread outside the team that ended a task uses the team any more. Rarely waits. May switch.
void await_external_task_ends(team& t) noexcept;

// The team barrier with task execution (2.19.2); every member calls it. May switch.
void barrier(member& m);
// As barrier, for cancellable ones: returns true when the region was cancelled.
bool barrier_cancel(member& m);

// Ends the member's part of the region: waits until all tasks that it made are complete, and marks
// that it reaches no more barriers.
void end_part(member& m);

// Marks the region as cancelled and wakes members that wait in its barriers, to check again.
void cancel_region(team& t) noexcept;

}  // namespace artel::openmp
