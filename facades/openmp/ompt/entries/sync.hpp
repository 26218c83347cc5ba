// Waiting for others, told: barriers, taskwait, taskgroup, taskyield, reductions. Each does what
// the function of the team's or the tasks' layer does.
#pragma once

#include "ompt/interface/attached.hpp"
#include "regions/told_region.hpp"
#include "tasking/tasks.hpp"
#include "team/team.hpp"

#include <span>

namespace artel::openmp::ompt {

// A region of synchronization, from here to the end of the object's life.
class sync_region {
public:
    sync_region(member& m, sync_kind kind, caller who) noexcept;
    sync_region(const sync_region&) = delete;
    sync_region& operator=(const sync_region&) = delete;
    ~sync_region();

    // The waiting in it.
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
void tell_taskgroup_end(caller who, void (*end)(member&));
// `end` does what taskgroup_end() does, which it may be.
// taskgroup_end() where the beginning was told of before; for loops of tasks.
void end_told_taskgroup(member& m, caller who, void (*end)(member&));

// The member is about to combine its results with those of others, and has done so.
void tell_reduction(caller who, endpoint at);

}  // namespace artel::openmp::ompt
