// What tasks and teams carry for a tool. Nobody looks at a record, and none is filled in, unless a
// tool is attached: so they have no initial values.
#pragma once

#include "abi.hpp"

namespace artel::openmp {
struct task;
}

namespace artel::openmp::ompt {

// Of an implicit task in its member, of an explicit one behind its arguments.
struct task_record {
    data task_data;
    frame where;
    task* interrupted;  // the task in the middle of which this one runs; explicit tasks only
    int flags;          // task_flag
    work_kind shares;   // the worksharing construct that it is in, or none
    chunk part;         // of a loop of tasks
    void* memory;       // explicit tasks: what the program keeps in the task
    std::size_t memory_size;
};

struct team_record {
    data parallel_data;
    unsigned flags;      // parallel_flag
    work_kind combined;  // the construct that every member begins with, or none
    std::uint64_t count;
    const void* code;  //   and where it stands
};

}  // namespace artel::openmp::ompt
