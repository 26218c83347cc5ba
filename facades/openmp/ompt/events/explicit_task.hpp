// What a tool is told of explicit tasks: that they are made, what they depend on, when threads turn
// from one to another, and that they are complete. The runtime's own files call these while a tool
// is attached.
#pragma once

#include "in_runtime.hpp"
#include "ompt/interface/attached.hpp"
#include "ompt/interface/callbacks.hpp"
#include "ompt/interface/thread.hpp"
#include "team/team.hpp"

#include <span>

namespace artel::openmp::ompt {

// How much memory a task takes whose arguments take `bytes`, and setting up its record behind them.
constexpr std::size_t with_record(std::size_t bytes) noexcept
{
    return bytes + alignof(task_record) - 1 + sizeof(task_record);
}
void open_explicit(task& made, std::size_t bytes, bool mergeable) noexcept;

// The task that `m` runs has made another one, with these dependences, at `who`.
void tell_created(member& m, task& made, std::span<const dependence> clause, caller who) noexcept;

// Runs the body of a task that has been taken from a queue, or drops it.
void run_explicit(member& m, task& what) noexcept;

// A task's body is about to be executed in place; `exit`: the frame that calls it. And it has
// ended.
void begin_in_place(member& m, task& what, void* exit) noexcept;
void end_in_place(member& m, task& what) noexcept;

// The event of a detached task was fulfilled; `early`: before its body had ended.
void tell_fulfilled(task& of, bool early) noexcept;

// `second` has to wait for `first`.
void tell_dependence(task& first, task& second) noexcept;

// A taskwait with dependences is a task of its own to the tool, made here and complete when the
// object goes.
class depending_wait {
public:
    depending_wait(member& m, std::span<const dependence> clause, caller who) noexcept;
    depending_wait(const depending_wait&) = delete;
    depending_wait& operator=(const depending_wait&) = delete;
    ~depending_wait();

private:
    data task_data_{};
};

// While one exists, what the calling member turns to next it does because the program asked it to
// yield.
class yielding {
public:
    yielding() noexcept { this_thread().yields = true; }
    yielding(const yielding&) = delete;
    yielding& operator=(const yielding&) = delete;
    ~yielding() { this_thread().yields = false; }
};

// Dependences as the runtime keeps them (task_depend.hpp), as tools see them.
dependence told(const openmp::dependence& d) noexcept;

}  // namespace artel::openmp::ompt
