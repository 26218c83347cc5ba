// Teams and their members. A member is one thread of a team: it runs on a persona (number >= 1) or on the context that met the parallel
// construct (number 0). Everything in a member belongs to whoever runs as that member unless marked shared.
#pragma once

#include "barrier.hpp"
#include "base/cpu.hpp"
#include "icv.hpp"
#include "task.hpp"
#include "workshare.hpp"

#include <atomic>
#include <cstdint>

namespace artel::fiber {
struct persona;
}

namespace artel::openmp {

struct team;

struct alignas(base::cache_line) member {
    team* in = nullptr;
    unsigned number = 0;             // omp_get_thread_num
    task* current = nullptr;         // the task that runs now; never nullptr; its ICVs are those in force
    implicit_task implicit;          // this member's implicit task
    worksharing_position position;   // how many worksharing constructs this member has met (workshare.hpp)
    member* outer = nullptr;         // number 0 only: what the context was before this region
    fiber::persona* body = nullptr;  // what it runs on; nullptr for number 0
    task_deque tasks;                // shared: explicit tasks made by this member, stolen by others of the team
    task_allocator task_memory;      // freed tasks, to be used again
    member* self_in_fork = nullptr;  // see team.cpp
};

using region_function = void (*)(void*);

struct team {
    unsigned size = 1;
    unsigned level = 0;         // omp_get_level: enclosing parallel regions, serialized ones included
    unsigned active_level = 0;  // omp_get_active_level
    team* parent = nullptr;     // the enclosing team; nullptr for the implicit one of an initial thread
    unsigned parent_number = 0; // the master's number in it
    member* members = nullptr;  // [size]

    region_function function = nullptr;
    void* data = nullptr;

    // shared from here on
    team_barrier barrier;
    worksharing_state worksharing;  // workshare.hpp
    task_state tasking;             // task.hpp
    std::atomic<bool> cancelled{false};  // cancel parallel
};

// The member that the caller runs as. An OS thread (or native light thread) outside any region is member 0 of a team of one, made at its first
// call. Never nullptr. Valid until the region ends.
member& this_member() noexcept;

// --- regions (team.cpp) -------------------------------------------------------------------------------------------------

// Prepared by the caller for a combined construct: runs on the new team before any member starts.
using team_setup = void (*)(team&, void* argument);

// Runs function(data) on every member of a new team of `threads` members (0: nthreads-var), the caller being member 0, and returns when all
// are done with it and with the tasks they made. Exactly that many members, unless nesting is off at this level or thread-limit-var is smaller.
void parallel(region_function function, void* data, unsigned threads, team_setup setup = nullptr, void* setup_argument = nullptr);

// The same in two halves for GOMP_parallel_start/_end: the caller runs member 0's part between them.
void parallel_begin(region_function function, void* data, unsigned threads, team_setup setup = nullptr, void* setup_argument = nullptr);
void parallel_end();

// The size that a region met now would get (2.6.1, Algorithm 2.1).
unsigned team_size_for(const member& m, unsigned requested) noexcept;

// The team barrier with task execution (2.19.2): every member calls it. May switch.
void barrier(member& m);
// As barrier, for cancellable ones: returns true when the region was cancelled.
bool barrier_cancel(member& m);

// Waits politely until predicate(argument) holds, for conditions set by other members: spins a little, lets other light threads
// run, and in the end sleeps in short naps. For rare waits only.
void wait_until(bool (*predicate)(void*), void* argument) noexcept;

}  // namespace artel::openmp
