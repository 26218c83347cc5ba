// Events of explicit tasks for a tool: creation, dependences, switches between tasks, and
// completion. Called while a tool is attached.
#pragma once

#include "in_runtime.hpp"
#include "ompt/interface/attached.hpp"
#include "ompt/interface/callbacks.hpp"
#include "ompt/interface/thread.hpp"
#include "team/team.hpp"

#include <span>

namespace artel::openmp::ompt {

// The memory of a task with `bytes` of arguments and a record behind them; open_explicit sets the
// record up.
constexpr std::size_t with_record(std::size_t bytes) noexcept
{
    return bytes + alignof(task_record) - 1 + sizeof(task_record);
}
void open_explicit(task& made, std::size_t bytes, bool mergeable) noexcept;

// The current task of `m` has made another one, with these dependences, at `who`.
void tell_created(member& m, task& made, std::span<const dependence> clause, caller who) noexcept;

// Runs the body of a task, or drops it when it is cancelled.
bool run_explicit(member& m, task& what) noexcept;

// Called before and after the body of a task that is executed in place; `exit`: the frame that
// calls it.
void begin_in_place(member& m, task& what, void* exit) noexcept;
void end_in_place(member& m, task& what) noexcept;

// The event of a detached task was fulfilled; `early`: before its body had ended.
void tell_fulfilled(task& of, bool early) noexcept;

// `second` has to wait for `first`.
void tell_dependence(task& first, task& second) noexcept;

// To the tool a taskwait with dependences is a task of its own, which lives as long as the object.
class depending_wait {
public:
    depending_wait(member& m, std::span<const dependence> clause, caller who) noexcept;
    depending_wait(const depending_wait&) = delete;
    depending_wait& operator=(const depending_wait&) = delete;
    ~depending_wait();

private:
    data task_data_{};
};

// While one exists, the calling member's next task switch is due to a taskyield.
class yielding {
public:
    yielding() noexcept { this_thread().yields = true; }
    yielding(const yielding&) = delete;
    yielding& operator=(const yielding&) = delete;
    ~yielding() { this_thread().yields = false; }
};

// Translates a dependence of the runtime (dependence.hpp) to the tool's form.
dependence told(const openmp::dependence& d) noexcept;

}  // namespace artel::openmp::ompt
