// taskloop: cuts an iteration space into tasks (OpenMP 5.1 2.12.2).
#pragma once

#include "tasking/tasks.hpp"
#include "team/task.hpp"

#include <cstdint>

namespace artel::openmp {

struct task_loop_options {
    task_options each;  // the options of every task
    // `amount` is the iterations of a task, else the number of tasks (0: not given).
    bool grainsize = false;
    bool strict = false;      // with grainsize: exactly that many, except for the last task
    bool group = true;        // wait at the end for all of them
    bool reductions = false;  // the third word of the data points to an array to register
    std::uint64_t amount = 0;
    // with a tool attached: where the program met the construct.
    const ompt::caller* told_to = nullptr;
};

// The cut of `count` > 0 iterations: tasks 0 .. larger-1 get size + 1 iterations, the others
// `size`, the last one the rest.
struct task_shares {
    std::uint64_t tasks = 0;
    std::uint64_t size = 0;
    std::uint64_t larger = 0;
};
task_shares cut_task_loop(const member& m, std::uint64_t count,
                          const task_loop_options& options) noexcept;

// The argument block begins with the first value and the end of the task's share, which are written
// here. Values are in 64-bit arithmetic modulo 2^64; `count` iterations from `first` by `step`, all
// before `end`. May switch.
void task_loop(member& m, task_function function, void* data, void (*copy)(void*, void*),
               std::size_t bytes, std::size_t alignment, std::uint64_t first, std::uint64_t end,
               std::uint64_t step, std::uint64_t count, const task_loop_options& options);

}  // namespace artel::openmp
