// The frames in which a task of the program has called the runtime.
#pragma once

#include "ompt/interface/attached.hpp"
#include "ompt/interface/records.hpp"
#include "team/task.hpp"

namespace artel::openmp::ompt {

// For the lifetime of the object, the task `of` is in the runtime, which `who` has called.
class in_runtime {
public:
    in_runtime(task& of, caller who) noexcept : record_(*of.tool), before_(record_.where.enter)
    {
        record_.where.enter.pointer = who.frame;
        record_.where.enter_flags = frame_flag::runtime | frame_flag::frame_pointer;
    }
    in_runtime(const in_runtime&) = delete;
    in_runtime& operator=(const in_runtime&) = delete;
    ~in_runtime() { record_.where.enter = before_; }

private:
    task_record& record_;
    data before_;
};

}  // namespace artel::openmp::ompt
