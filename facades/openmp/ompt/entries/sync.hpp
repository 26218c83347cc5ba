// Barriers, taskwait, taskgroup, taskyield and reductions with a tool attached. Each does what the
// function of the same name in `tasking` does, and tells the tool.
#pragma once

#include "ompt/interface/attached.hpp"
#include "regions/told_region.hpp"
#include "tasking/tasks.hpp"
#include "team/team.hpp"

#include <span>

namespace artel::openmp::ompt {

// A synchronization region, for the lifetime of the object.
class sync_region {
public:
    sync_region(member& m, sync_kind kind, caller who) noexcept;
    sync_region(const sync_region&) = delete;
    sync_region& operator=(const sync_region&) = delete;
    ~sync_region();

    // Called before and after the wait in the region.
    void begin_wait() noexcept;
    void end_wait() noexcept;

private:
    task_record& task_;
    data* parallel_;
    sync_kind kind_;
    const void* code_;
};

void tell_barrier(caller who, sync_kind kind);
bool tell_barrier_cancel(caller who, sync_kind kind);
void tell_taskwait(caller who);
void tell_taskwait_depend(caller who, std::span<const openmp::dependence> clause,
                          std::span<const dependence> told);
void tell_taskyield(caller who);
void tell_taskgroup_begin(caller who);
// `end`: taskgroup_end(), or a function that does the same and more.
void tell_taskgroup_end(caller who, void (*end)(member&));
// The same inside an entry that has set the task's frame already: for taskloops.
void end_told_taskgroup(member& m, caller who, void (*end)(member&));

// The member begins or ends combining its results with those of others.
void tell_reduction(caller who, endpoint at);

}  // namespace artel::openmp::ompt
