// The records of tasks and teams for a tool. They are neither read nor filled in unless a tool is
// attached, so they have no initial values.
#pragma once

#include "abi.hpp"

namespace artel::openmp {
struct task;
}

namespace artel::openmp::ompt {

// The record of an implicit task is in its member, that of an explicit one lies behind its
// arguments.
struct task_record {
    data task_data;
    frame where;
    task* interrupted;  // the task that this one interrupts; explicit tasks only
    int flags;          // task_flag
    work_kind shares;   // the worksharing construct that it is in, or none
    chunk part;         // of a taskloop
    void* memory;       // explicit tasks: the program's data in the task
    std::size_t memory_size;
};

struct team_record {
    // The region is told to the tool, by all members or by none: they end it alike. Written by the
    // master while no member is in the region.
    bool told = false;
    data parallel_data;
    unsigned flags;      // parallel_flag
    work_kind combined;  // the construct that every member begins with, or none
    std::uint64_t count;
    const void* code;  // address of that construct
};

}  // namespace artel::openmp::ompt
