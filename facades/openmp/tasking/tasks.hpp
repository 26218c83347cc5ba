// Explicit tasks: how they are made, executed and waited for. Barriers belong here, because members
// that wait in one execute tasks.
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

// Creates a task (after those that it depends on, where it may not be deferred): copies the
// arguments (by `copy` when given, else memcpy) and queues it, or runs it at once when undeferred.
// May switch.
void create_task(member& m, task_function function, void* data, void (*copy)(void*, void*),
                 std::size_t bytes, std::size_t alignment, const task_options& options);

// The same while a tool is attached: it is told that `who` made the task, with these dependences.
// `part`: of a loop of tasks.
void create_told_task(member& m, task_function function, void* data, void (*copy)(void*, void*),
                      std::size_t bytes, std::size_t alignment, const task_options& options,
                      std::span<const ompt::dependence> told, ompt::caller who,
                      ompt::chunk part = {});

// The same in two halves, for compilers that fill in the arguments themselves: a task that nobody
// knows yet, with `bytes` for its arguments at task::data. `detach` is not looked at. Ends the
// program when there is no memory.
task& prepare_task(member& m, std::size_t bytes, std::size_t alignment,
                   const task_options& options);

// The same while a tool is attached: with a record for it.
task& prepare_told_task(member& m, std::size_t bytes, std::size_t alignment,
                        const task_options& options);

// Queues a prepared task, or runs it at once when it may not be deferred. May switch.
void submit_task(member& m, task& made, std::span<const dependence> dependences);

// Ends the program, which has no memory for a task.
[[noreturn]] void no_task_memory() noexcept;

// A task that was prepared and will never run: gives its memory back.
void discard_task(member& m, task& made) noexcept;

// A prepared task whose body the caller executes in place, between the two calls. If it is detached
// its event is not waited for.
void begin_in_place(member& m, task& made) noexcept;
void end_in_place(member& m, task& made);

void wait_for_children(member& m);  // task_wait() where there may be any
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

// taskwait with a depend clause: waits for the tasks that a task with this clause would wait for.
// May switch.
void task_wait_depend(member& m, std::span<const dependence> clause);

// Waits until nothing but the caller's own share keeps `of`, a detached task that could not be
// deferred, from its end. May switch.
void wait_for_event(member& m, task& of);

// Runs one task if one may run here. May switch.
void task_yield(member& m);

// `workshare`: taskgroup::workshare.
void taskgroup_begin(member& m, bool workshare = false);
void taskgroup_end(member& m);

// The group that `cancel taskgroup` in task `t` means; nullptr when there is none.
taskgroup* cancellable_group(const task& t) noexcept;

// A guess whether any member of the team has a task queued.
bool tasks_queued(const team& t) noexcept;

// Why a member that sleeps or spins should rather run tasks.
wake_reason tasks_reason(const team& t) noexcept;

// A task was queued: wakes a member that sleeps for want of tasks, if a worker is idle. Makes a
// full fence.
void call_helpers(team& t) noexcept;

// omp_fulfill_event: the event of a detached task. Any thread.
void fulfill_event(void* event);

// When all tasks of the team are complete, before it is used again or freed: waits until threads
// outside of it that ended some have done with it. Rarely waits. May switch.
void await_outsiders(team& t) noexcept;

// --- barriers
// ---------------------------------------------------------------------------------------

// The team barrier with task execution (2.19.2): every member calls it. May switch.
void barrier(member& m);
// As barrier, for cancellable ones: returns true when the region was cancelled.
bool barrier_cancel(member& m);

// The member has done its part of the region: waits until all tasks that it has made are complete,
// and comes to no barrier any more.
void end_part(member& m);

// Marks the region as cancelled and has those who wait in barriers of it look again.
void cancel_region(team& t) noexcept;

}  // namespace artel::openmp
