// Threads as a tool sees them: each has its own thread-local data, so they are OS threads of the
// program and personas. A member of a team keeps its thread wherever its light thread is carried.
#pragma once

#include "abi.hpp"

namespace artel::openmp::ompt {

struct thread_record {
    data thread_data{};
    wait_id waits_for = 0;
    state doing = state::undefined;
    bool known = false;   // the tool knows it
    bool yields = false;  // in a taskyield of the program
};

// The calling thread's record. Code on a plain fiber must not keep it across a switch.
thread_record& this_thread() noexcept;

// Tells the tool of the calling thread, unless it knows. The thread-local destructors of workers
// call end_thread; for an initial thread the caller does.
void begin_thread(thread_kind kind) noexcept;
void end_thread() noexcept;

// The number of workers that the tool knows and that have not ended.
unsigned known_workers() noexcept;

// Sets the state of the calling thread for the lifetime of the object.
class doing {
public:
    explicit doing(state what, wait_id on = 0) noexcept
        : before_(this_thread().doing), on_before_(this_thread().waits_for)
    {
        thread_record& t = this_thread();
        t.waits_for = on;
        t.doing = what;
    }
    doing(const doing&) = delete;
    doing& operator=(const doing&) = delete;
    ~doing()
    {
        thread_record& t = this_thread();
        t.doing = before_;
        t.waits_for = on_before_;
    }

private:
    state before_;
    wait_id on_before_;
};

}  // namespace artel::openmp::ompt
