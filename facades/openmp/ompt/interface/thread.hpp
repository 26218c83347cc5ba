// Threads as a tool sees them: what has thread-local data of its own, so OS threads of the program
// and personas. A member of a team keeps its thread wherever its light thread is carried to.
#pragma once

#include "abi.hpp"

namespace artel::openmp::ompt {

struct thread_record {
    data thread_data{};
    wait_id waits_for = 0;
    state doing = state::undefined;
    bool known = false;   // to the tool
    bool yields = false;  // the program asked it to run another task
};

// The caller's. Not to be kept across a switch by code on a plain fiber.
thread_record& this_thread() noexcept;

// Tells the tool of the calling thread, unless it knows. Workers are told to have ended by their
// thread-local destructors; who begins an initial thread ends it.
void begin_thread(thread_kind kind) noexcept;
void end_thread() noexcept;

// How many workers the tool knows that have not ended.
unsigned known_workers() noexcept;

// What the calling thread does, for as long as the object lives.
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
