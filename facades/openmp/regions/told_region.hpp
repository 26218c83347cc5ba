// Events of threads, regions and implicit tasks for a tool; and the variants of parallel() that are
// used while a tool is attached.
#pragma once

#include "ompt/events/in_runtime.hpp"
#include "ompt/interface/attached.hpp"
#include "ompt/interface/callbacks.hpp"
#include "ompt/interface/thread.hpp"
#include "parallel.hpp"

namespace artel::openmp::ompt {

// An OS thread became an initial thread: `initial` is its member.
void initial_thread_begins(member& initial) noexcept;
// The same, called while a tool is attached. Does nothing if the tool knows the thread.
void tell_initial_thread(member& initial) noexcept;
void initial_thread_ends(member& initial) noexcept;

// Called before the tool is finalized: reports the ends of the calling thread's initial task and of
// the threads of its team.
void end_everything() noexcept;

// parallel(), called from `who`. `combined`: the worksharing construct that `setup` opens, with
// `count` iterations.
void tell_parallel(caller who, region_function function, void* data, unsigned threads,
                   team_setup setup, void* setup_argument, unsigned bind_flags,
                   work_kind combined = work_kind{}, std::uint64_t count = 0);

// parallel_begin() and parallel_end().
void tell_parallel_begin(caller who, region_function function, void* data, unsigned threads,
                         team_setup setup, void* setup_argument, unsigned bind_flags,
                         work_kind combined = work_kind{}, std::uint64_t count = 0);
void tell_parallel_end(caller who);

// The right one of these two. Not whether a tool is attached now decides: it may have left since
// the region began, and all members end it alike.
inline void end_region(caller who)
{
    if (this_member().in->tool.told) [[unlikely]] {
        tell_parallel_end(who);
    } else {
        parallel_end();
    }
}

// Called by hot and nested teams: runs the part of a member other than 0, between start_member and
// the end of its region.
void run_member(member& m, region_function function, void* data) noexcept;

// A league on the host, for the lifetime of the object. Each of its teams has an initial task, and
// a region of one member that the runtime begins for it. The initial member's current task stands
// for both, with the record of one or the other.
class league {
public:
    league(member& m, unsigned teams, caller who) noexcept;
    league(const league&) = delete;
    league& operator=(const league&) = delete;
    ~league();

    // Runs function(data) as team `number` on its initial thread `m`, the caller. Teams may run at
    // the same time.
    void run_team(member& m, unsigned number, region_function function, void* data) noexcept;

private:
    caller who_;
    unsigned teams_;
    task_record& outer_;
    data league_data_{};
};

}  // namespace artel::openmp::ompt
