// Tasks, implicit and explicit. Skeleton: the fields that other files of the facade may rely on; the rest belongs to task.cpp.
#pragma once

#include "icv.hpp"

#include <cstdint>

namespace artel::openmp {

struct team;

struct task {
    task* parent = nullptr;
    icv_set icvs;
    bool is_implicit = false;
    bool final = false;   // omp_in_final
};

struct implicit_task : task {};

struct task_deque {};
struct task_allocator {};
struct task_state {};

}  // namespace artel::openmp
