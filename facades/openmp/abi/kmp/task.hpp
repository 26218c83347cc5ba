// Explicit tasks as the __kmpc_ interface sees them: the compiler asks for a block of memory, fills
// it in, and submits it. The block begins with kmp::task, whose layout compilers know; in front of
// it we keep a frame.
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
    std::int32_t part;  // untied tasks: which part comes next
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

// As large as its alignment, because the compiler counts on kmp::task, in which it has laid out the
// private variables, being as aligned as memory from libomp is: a cache line.
struct alignas(task_alignment) frame {
    std::uint32_t bytes;         // of kmp::task with the private variables, rounded up
    std::uint32_t shared_bytes;  // of what follows it
    std::int32_t flags;
    bool submitted;  // an untied task submits itself again from its body ...
    bool again;      //   which means: run the next part
    bool helped;     // a helper runs it (helpers.hpp)
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
inline void run_parts(task& t)
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

// Somebody will say that it has ended. Before the task is submitted.
inline openmp::task& expect_event(task& t) noexcept
{
    openmp::task& of = ours(t);
    of.to_end.store(of.undeferred ? 3 : 2, std::memory_order_relaxed);  // relaxed: not shared yet
    return of;
}

// The next task of the current one; nobody knows it yet.
task& make_task(member& m, std::int32_t flags, std::size_t bytes, std::size_t shared_bytes,
                routine body);

// A copy of a task that has not been submitted, as it is.
task& copy_task(member& m, task& pattern);

// A task that will not run: its private variables are destroyed.
void drop_task(member& m, task& t);

// Before the task is submitted.
void take_priority(task& t) noexcept;

// Runs the body of a task on whoever is no member of its team, and destroys its private variables.
void run_helped(task& t);

// A list of dependences as compilers write it: two arrays, the second of items that name distinct
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
