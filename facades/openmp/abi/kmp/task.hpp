// Explicit tasks of the __kmpc_ interface: the compiler asks for a block of memory, fills it in,
// and submits it. The block begins with kmp::task, whose layout compilers know; we keep a frame in
// front of it.
#pragma once

#include "kmp.hpp"
#include "tasking/task_depend.hpp"

#include <cstddef>
#include <vector>

namespace artel::openmp::kmp {

struct task;
using routine = std::int32_t (*)(std::int32_t global, task* of);

struct task {
    void* shared;  // the block of shared variables, behind the private ones
    routine body;
    std::int32_t part;  // untied tasks: the next part
    union {
        std::int32_t priority;
        routine destructors;
    } first, second;  // the first holds destructors, the second a priority, where the flags say so
    // private variables follow
};
static_assert(sizeof(task) == 40);

// Bits of the compiler's flags.
enum task_flags : std::int32_t {
    tied = 1,
    final = 2,
    destructors = 8,
    proxy = 16,
    priority = 32,
    detachable = 64
};

// As large as its alignment, because the compiler lays out the private variables in kmp::task, and
// expects that to be aligned like memory of libomp: to a cache line.
struct alignas(task_alignment) frame {
    std::uint32_t bytes;         // of kmp::task with the private variables, rounded up
    std::uint32_t shared_bytes;  // of what follows it
    std::int32_t flags;
    bool submitted;  // an untied task submits itself again from its body ...
    bool again;      // and this is set: run the next part
    bool helped;     // a helper runs it (helpers.hpp)
    bool begun;      // an untied one: a part has run
};
static_assert(sizeof(frame) == task_alignment);

inline frame& frame_of(task& t) noexcept
{
    return reinterpret_cast<frame*>(&t)[-1];
}
inline openmp::task& ours(task& t) noexcept
{
    return task_of(&frame_of(t));
}

// Runs the body of a task, part by part.
[[gnu::always_inline]] inline void run_parts(task& t)
{
    frame& f = frame_of(t);
    do {
        f.again = false;
        t.body(global_number(), &t);
    } while (f.again);
}

inline void destroy_privates(task& t)
{
    if ((frame_of(t).flags & destructors) != 0 && t.first.destructors != nullptr) {
        t.first.destructors(global_number(), &t);
    }
}

// Before the task is submitted: its end waits for an event, too.
inline openmp::task& expect_event(task& t) noexcept
{
    openmp::task& of = ours(t);
    of.to_end.store(of.undeferred ? 3 : 2, std::memory_order_relaxed);  // relaxed: not shared yet
    return of;
}

// A new child of the current task, shared with nobody yet.
task& make_task(member& m, std::int32_t flags, std::size_t bytes, std::size_t shared_bytes,
                routine body);

// A copy of a task that has not been submitted.
task& copy_task(member& m, task& pattern);

// Frees a task that will not run, and destroys its private variables.
void drop_task(member& m, task& t);

// Before the task is submitted: sets its priority.
void take_priority(task& t) noexcept;

// Runs the body of a task on a thread that is no member of its team, and destroys its private
// variables.
void run_helped(task& t);

// A list of dependences as compilers write it: two arrays, of which the second names distinct
// addresses.
struct depend_item {
    std::uintptr_t address;
    std::size_t length;
    std::uint8_t flags;
};
std::vector<ompt::dependence> told_dependences(std::int32_t count, const depend_item* items,
                                               std::int32_t more,
                                               const depend_item* more_items);  // for the tool
depend_list dependences_of(std::int32_t count, const depend_item* items, std::int32_t more,
                           const depend_item* more_items) noexcept;

}  // namespace artel::openmp::kmp
