// Tasks: the implicit one of every member, and explicit ones. An explicit task is pushed on its
// maker's deque, from which that member (youngest first) or any other of the team (oldest first)
// takes it. It runs on the stack of the member that took it, at a scheduling point: taskwait, the
// end of a taskgroup, a barrier, taskyield, or task creation when too many are queued.
//
// One 64-bit word per task counts what others wait for (task::counts, task_end.hpp). A waiter sets
// a flag bit in the same word, so the atomic operation that brings a count to zero also tells
// whether there is a waiter to wake.
#pragma once

#include "ompt/interface/records.hpp"
#include "sched/deque.hpp"
#include "settings/icv.hpp"
#include "task_end.hpp"

#include <atomic>
#include <cstdint>

namespace artel::openmp {

struct team;
struct member;
struct task;
struct depend_node;
struct dependence;
class depend_table;

using task_function = void (*)(void*);

// A taskgroup region: all tasks created in it and their descendants.
struct taskgroup {
    taskgroup* outer = nullptr;
    std::atomic<std::uint32_t> running{0};  // tasks not ended, plus waiting_flag
    std::atomic<bool> cancelled{false};
    // made for the reductions of a worksharing construct or region: `cancel taskgroup` means the
    // enclosing group.
    bool workshare = false;
    // arrays registered by task_reduction, innermost first (task_reduction.hpp).
    std::uintptr_t* reductions = nullptr;
    // the same for compilers that leave combining the copies to us (abi/kmp/task_reduction.cpp).
    struct shared_reductions* shared = nullptr;
    static constexpr std::uint32_t waiting_flag = 1u << 31;
};

struct task : task_bits {
    task() noexcept : final(false) { describe_no_work(nullptr); }
    // An explicit task that `maker`, which runs in `t`, is about to make.
    task(task& maker, team& t) noexcept
        : parent(&maker), icvs(maker.icvs), final(maker.final), depth(maker.depth + 1),
          group(maker.group), own_group(maker.group), counts(part)
    {
        describe_no_work(&t);
    }
    // A task that `maker` executes at once, with its record on the stack (undeferred.hpp).
    struct undeferred_record {};
    task(task& maker, bool is_final, undeferred_record /*how*/) noexcept
        : parent(&maker), icvs(maker.icvs), final(is_final), undeferred(true), on_stack(true),
          depth(maker.depth + 1), group(maker.group), own_group(maker.group), counts(part)
    {}
    // The same task with a record that may outlive its body. No other task refers to it yet.
    struct moved {};
    task(const task& before, team& t, moved /*how*/) noexcept
        : parent(before.parent), icvs(before.icvs), final(before.final), undeferred(true),
          depth(before.depth), group(before.group), own_group(before.own_group), counts(part)
    {
        describe_no_work(&t);
    }

    task* parent = nullptr;
    icv_set icvs;  // the data-environment ICVs of this task
    bool final;    // omp_in_final: children are executed at once
    bool undeferred = false;
    bool is_implicit = false;
    bool untied = false;
    // run it even when cancelled: the body destroys the arguments that were constructed for it.
    bool must_run = false;
    // Run it at once when it is ready: its function takes no time, and hands it to another thread.
    bool at_once = false;
    // Its function has destroyed the arguments only, as it was cancelled.
    bool skipped = false;
    // Only the member that runs it, and on_stack tasks nested in it, may refer to it: see
    // lasting_task().
    bool on_stack = false;
    // depth below the implicit task, for the task scheduling constraint.
    unsigned depth = 0;
    // Untied tasks that come in parts (abi/kmp/task.cpp): the next call of the function runs one
    // part only, as another task waits below it on the same stack; and whether that call has left
    // more to do.
    bool one_part = false;
    bool has_more = false;
    // Executed at once, in the place of its parent.
    bool in_place = false;
    // the innermost group of the current construct in this task.
    taskgroup* group = nullptr;
    taskgroup* own_group = nullptr;       // the group that this task belongs to
    depend_table* dependences = nullptr;  // dependences among its children

    // Not initialised in a record on the stack, from here ...
    void* data;  // the function's argument
    task_function function;
    team* in;
    int priority;
    // How many of these must come before the task ends: the end of its body; the fulfilment of its
    // detach event; if it has an event and is undeferred, the thread that waits for the fulfilment.
    std::atomic<unsigned> to_end;
    // Also in it. discarded: its body was not called, as it was cancelled, and its event is not
    // waited for; then `complete`: only the event keeps the record. fulfilling: times the number of
    // threads that have begun to fulfil an event, which may be two (abi/kmp/helpers.hpp).
    static constexpr unsigned discarded = 1u << 31;
    static constexpr unsigned complete = 1u << 30;
    static constexpr unsigned fulfilling = 1u << 28;
    static constexpr unsigned any_fulfilling = complete - fulfilling;
    static constexpr unsigned to_end_mask = fulfilling - 1;
    // untied ones: the task that the member left to run this one, which was on top of its stack.
    task* interrupted;
    // its node, if it has a depend clause (task_depend.hpp).
    depend_node* node;
    ompt::task_record* tool;  // valid only while a tool is attached
    // ... to here.

    // bits 0-30: children whose bodies have not ended; 31: there is a waiter for them; bits 32-62:
    // incomplete parts; 63: there is a waiter for those
    std::atomic<std::uint64_t> counts{0};

private:
    void describe_no_work(team* t) noexcept
    {
        data = nullptr;
        function = nullptr;
        in = t;
        priority = 0;
        to_end.store(1, std::memory_order_relaxed);  // relaxed: not shared yet
        node = nullptr;
    }
};

struct implicit_task : task {
    implicit_task() noexcept { is_implicit = true; }
    implicit_task(const implicit_task&) = delete;
    implicit_task& operator=(const implicit_task&) = delete;
    ~implicit_task();
};

// Whether `ancestor` is `t` or an ancestor of it. The ancestors of an unfinished task exist.
inline bool descends_from(const task& t, const task& ancestor) noexcept
{
    const task* at = &t;
    while (at->depth > ancestor.depth) {
        at = at->parent;
    }
    return at == &ancestor;
}

// The innermost tied task among `waiting` and those that lie below it on the stack of its member.
// Unless that is an implicit one, new tied tasks that run there descend from it, as it descends
// from the others (task scheduling constraint 1, OpenMP 5.1 2.12.6).
inline const task& innermost_tied(const task& waiting) noexcept
{
    const task* at = &waiting;
    while (at->untied && at->interrupted != nullptr) {
        at = at->interrupted;
    }
    return *at;
}

using task_deque = sched::deque<task>;

}  // namespace artel::openmp
