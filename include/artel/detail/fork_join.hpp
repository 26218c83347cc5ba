// Fork-join tasks: the thin ABI between the templates and libartel. A task lies on its spawner's
// stack, which the spawner does not leave before the task is done, so nothing is allocated.
//
// Protocol of the spawner: spawn(t); do something else; if (reclaim(t)) run it as an ordinary call;
// else t.done.wait(), and t.error holds its exception. All of it in one context. If spawn returned
// true, leave() at the very end, after the last task of the construct.
#pragma once

#include <artel/detail/latch.hpp>
#include <artel/detail/work.hpp>
#include <artel/export.hpp>
#include <exception>

namespace artel::detail {

// Runs a task on the worker that took it from a queue: calls it, keeps its exception, sets the
// latch.
ARTEL_API void run_task(void* carrier, base::work& self);

struct task : base::work {
    explicit task(void (*body)(task&)) noexcept : base::work{nullptr, run_task}, call(body) {}
    void (*call)(task&);  // the program's code; may throw
    sched::latch done;
    std::exception_ptr error;  // written before `done` is set
};

// Makes the task visible to the other workers. Returns true when this was the outermost call of an
// external thread: then leave() must follow. A task that cannot be spawned (no worker slot for this
// thread, or no free place in the caller's width_scope) stays with the caller: reclaim will return
// it.
ARTEL_API bool spawn(task& t) noexcept;

// Takes the task back if it has not begun. True: the caller must run it (or drop it); false: wait
// for t.done.
ARTEL_API bool reclaim(task& t) noexcept;

// Ends the external thread's outermost call.
ARTEL_API void leave() noexcept;

// Calls leave() at the end of a block if spawn returned true.
struct leave_later {
    bool needed;
    ~leave_later()
    {
        if (needed) {
            leave();
        }
    }
};

}  // namespace artel::detail
