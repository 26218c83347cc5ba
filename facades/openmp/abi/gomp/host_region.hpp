// A target region, which runs on the host in a context of its own: an initial task with the
// environment's ICVs, level 0 and a team of one.
#pragma once

#include "ompt/interface/attached.hpp"
#include "tasking/task_depend.hpp"

#include <cstddef>

namespace artel::openmp {

struct host_region {
    void (*function)(void*) = nullptr;  // gets the addresses; nullptr: nothing is to be run
    std::size_t count = 0;              // variables
    void** addresses = nullptr;
    const std::size_t* sizes = nullptr;
    const unsigned short* kinds = nullptr;  // how they are mapped
    unsigned thread_limit = 0;              // 0: not given
};

// May replace addresses. May switch.
void run_at_once(const host_region& region);

// Makes it a task of the current one, at `who`. The values of firstprivate variables are those of
// now. May switch.
void run_as_task(const host_region& region, const depend_list& dependences, ompt::caller who);

}  // namespace artel::openmp
