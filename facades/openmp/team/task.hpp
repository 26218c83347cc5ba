// Tasks: the implicit one of every member, and explicit ones. An explicit task is created into its
// member's deque, from where that member (youngest first) or any other member of the team (oldest
// first) takes it; it runs on the stack of the member that took it, at a scheduling point:
// taskwait, the end of a taskgroup, a barrier, taskyield, or creation when too many are queued.
//
// One 64-bit word per task counts what others wait for (task::counts, task_end.hpp). A waiter sets
// a flag bit in the same word, so that whoever brings a count to zero knows from the one atomic
// operation that there is somebody to wake.
#pragma once

#include "depot.hpp"
#include "settings/icv.hpp"
#include "ompt/interface/attached.hpp"
#include "ompt/interface/records.hpp"
#include "outsiders.hpp"
#include "waiting/room.hpp"
#include "sched/deque.hpp"
#include "task_end.hpp"
#include "task_queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace artel::openmp {

struct team;
struct member;
struct task;
struct depend_node;
struct dependence;
class depend_table;

using task_function = void (*)(void*);

// A taskgroup region: all tasks created in it and their descendants. Lies on the stack of the task
// that waits at its end.
struct taskgroup {
    taskgroup* outer = nullptr;
    std::atomic<std::uint32_t> running{0};  // tasks not ended, plus waiting_flag
    std::atomic<bool> cancelled{false};
    bool workshare =
        // made for the reductions of a worksharing construct or region: `cancel taskgroup` means
        // the one outside.
        false;
    // arrays registered by task_reduction, innermost first (task_reduction.hpp).
    std::uintptr_t* reductions = nullptr;
    // the same for compilers that let us combine the copies (abi/kmp/task_reduction.cpp).
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
    // One that is executed where `maker` makes it, with its record on the stack (at_once.hpp).
    struct at_once {};
    task(task& maker, bool is_final, at_once /*how*/) noexcept
        : parent(&maker), icvs(maker.icvs), final(is_final), undeferred(true), on_stack(true),
          depth(maker.depth + 1), group(maker.group), own_group(maker.group), counts(part)
    {}
    // The same task with a record that may outlive its body. No other task knows it.
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
    // even when cancelled: the body destroys what was constructed into its arguments.
    bool must_run = false;
    // Nobody but the member that runs it, and such tasks inside of it, may refer to it: see
    // lasting_task().
    bool on_stack = false;
    // nesting below the implicit task, for the task scheduling constraint.
    unsigned depth = 0;
    // the innermost one that this task (while it runs: its current construct) belongs to.
    taskgroup* group = nullptr;
    taskgroup* own_group = nullptr;       // the group that this task belongs to
    depend_table* dependences = nullptr;  // those of its children

    // Not written in a record on the stack, from here ...
    void* data;  // what the function gets
    task_function function;
    team* in;
    int priority;
    // with a detach event also its fulfilment and, when undeferred, who waits for that.
    std::atomic<unsigned> to_end;
    // this task's dependences, if it has a depend clause (task_depend.hpp).
    depend_node* node;
    ompt::task_record* tool;  // while a tool is attached; else not even written
    // ... to here.

    // bits 0-30 children with running bodies, 31 somebody waits for them to be 0; bits 32-62
    // incomplete parts, 63 somebody waits for those
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

// Whether `ancestor` is `t` or an ancestor of it. Tasks above a task that has not ended exist.
inline bool descends_from(const task& t, const task& ancestor) noexcept
{
    const task* at = &t;
    while (at->depth > ancestor.depth) {
        at = at->parent;
    }
    return at == &ancestor;
}

using task_deque = sched::deque<task>;

// Memory for explicit tasks with small argument blocks, kept by the member that ends the task: up
// to two chains of blocks. More of them go to the team's depot, where members that make tasks find
// them, and from there to malloc.
class task_allocator {
public:
    task_allocator() noexcept = default;
    task_allocator(const task_allocator&) = delete;
    task_allocator& operator=(const task_allocator&) = delete;
    ~task_allocator();
    // A task that `maker` makes, with `bytes` of argument data aligned to `alignment`, a power of
    // two; nullptr without memory.
    task* allocate(std::size_t bytes, std::size_t alignment, task& maker, team& t) noexcept;
    void free(task* t) noexcept;

    // A record for a task that has one on the stack so far; nullptr without memory.
    task* move(const task& on_stack, team& t) noexcept;

    // The task object comes first, then the arguments. The others outlive the task object between
    // uses.
    struct header {
        alignas(64) unsigned char storage[sizeof(task)];
        header* next;
        header* next_chain;
        bool recycled;
    };

private:
    static constexpr std::size_t small = 192;  // bytes of arguments in a recycled block
    header* take(team& t) noexcept;
    bool has_more(team& t) noexcept;
    header* grow(std::size_t bytes, bool fits) noexcept;
    void put_aside(header* h, team& t) noexcept;
    header* free_ = nullptr;  // in use
    header* full_ = nullptr;  // nullptr, or a chain of its own
    int kept_ = 0;            // in `free_`
};

// A recycled block; nullptr without memory.
inline task_allocator::header* task_allocator::take(team& t) noexcept
{
    if (free_ == nullptr && !has_more(t)) [[unlikely]] {
        return nullptr;
    }
    header* const h = free_;
    free_ = h->next;
    --kept_;
    return h;
}

inline task* task_allocator::allocate(std::size_t bytes, std::size_t alignment, task& maker,
                                      team& t) noexcept
{
    // What follows the header is aligned to a header's alignment as it is.
    alignment = alignment > 16 ? alignment : 16;
    bytes += alignment > alignof(header) ? alignment : 0;
    header* const h = bytes <= small ? take(t) : grow(bytes, false);
    if (h == nullptr) [[unlikely]] {
        return nullptr;
    }
    task* const made = new (h->storage) task(maker, t);
    made->data = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(h + 1) + alignment - 1) &
                                         ~(alignment - 1));
    return made;
}

inline task* task_allocator::move(const task& on_stack, team& t) noexcept
{
    header* const h = take(t);
    return h != nullptr ? new (h->storage) task(on_stack, t, task::moved{}) : nullptr;
}

inline void task_allocator::free(task* t) noexcept
{
    auto* const h = reinterpret_cast<header*>(t);
    if (!h->recycled || kept_ >= depot<header>::chain_length) [[unlikely]] {
        team& in = *t->in;
        t->~task();
        put_aside(h, in);
        return;
    }
    t->~task();
    h->next = free_;
    free_ = h;
    ++kept_;
}

// What a team knows of its tasks.
struct task_state {
    task_state()
    {
        naps.configure(nap_lists);
        waits.configure(nap_lists);
        add_room(naps, nap_lists);
    }
    static constexpr unsigned nap_lists = 4;

    // how many deques to look at; read by members that are on their way out of a region, too.
    std::atomic<unsigned> members{1};
    // an explicit task was made in this region: barriers must look.
    std::atomic<bool> used{false};
    outsiders from_outside;  // see fulfill_event
    // members that wait for tasks to complete and may run any task meanwhile.
    waiting_room naps;
    waiting_room waits;                   // members that wait for tasks and can do nothing about it
    task_queue shared;                    // tasks in no member's deque
    depot<task_allocator::header> spare;  // memory of tasks that members have too much of
    // what implicit tasks start in: a group with the reductions of the region, or none.
    taskgroup* region_group = nullptr;
    std::atomic<unsigned> stuck{0};  // members asleep in `waits`
    // Rooms in which members that could run tasks may sleep, besides the barrier's: their first
    // `lists` lists.
    struct {
        waiting_room* where = nullptr;
        unsigned lists = 0;
    } rooms[3];
    unsigned room_count = 0;
    void add_room(waiting_room& r, unsigned lists) noexcept { rooms[room_count++] = {&r, lists}; }
};

// The current task of `m`, with a record that stays where it is until the task is complete: for
// whoever keeps a reference to it, as its children do. Whoever has taken m.current before has to
// take it again.
task& lasting_task(member& m) noexcept;

struct task_options {
    bool deferred = true;  // if clause
    bool final = false;
    bool untied = false;
    bool mergeable = false;
    bool must_run = false;  // task::must_run
    int priority = 0;
    std::span<const dependence> dependences{};  // the depend clause (task_depend.hpp)
    void* detach = nullptr;
};

// Creates a task (after those that it depends on, where it may not be deferred): copies the
// arguments (by `copy` when given, else memcpy) and queues it, or runs it at once when undeferred.
// May switch.
void create_task(member& m, task_function function, void* data, void (*copy)(void*, void*),
                 std::size_t bytes, std::size_t alignment, const task_options& options);

// The same while a tool is attached: it is told that `who` made the task, with these dependences.
// `part`: of a loop of tasks.
void create_told_task(member& m, task_function function, void* data, void (*copy)(void*, void*),
                      std::size_t bytes, std::size_t alignment, const task_options& options,
                      std::span<const ompt::dependence> told, ompt::caller who,
                      ompt::chunk part = {});

// The same in two halves, for compilers that fill in the arguments themselves: a task that nobody
// knows yet, with `bytes` for its arguments at task::data. `detach` is not looked at. Ends the
// program when there is no memory.
task& prepare_task(member& m, std::size_t bytes, std::size_t alignment,
                   const task_options& options);

// The task whose arguments, aligned to no more than task_alignment, begin at `data`.
inline constexpr std::size_t task_alignment = 64;
inline task& task_of(void* data) noexcept
{
    // Behind the header, which is a multiple of task_alignment long, no gap is needed.
    static_assert(sizeof(task_allocator::header) % task_alignment == 0);
    return *reinterpret_cast<task*>(static_cast<task_allocator::header*>(data) - 1);
}

// The same while a tool is attached: with a record for it.
task& prepare_told_task(member& m, std::size_t bytes, std::size_t alignment,
                        const task_options& options);

// Queues a prepared task, or runs it at once when it may not be deferred. May switch.
void submit_task(member& m, task& made, std::span<const dependence> dependences);

// A task that was prepared and will never run: gives its memory back.
void discard_task(member& m, task& made) noexcept;

// A prepared task whose body the caller executes in place, between the two calls. If it is detached
// its event is not waited for.
void begin_in_place(member& m, task& made) noexcept;
void end_in_place(member& m, task& made);

// Whether a task is to be dropped because its group or region was cancelled.
bool is_cancelled(const task& t) noexcept;

// Waits until the bodies of all children of the current task have ended, running descendants
// meanwhile. May switch.
void task_wait(member& m);
void wait_for_children(member& m);  // task_wait() where there may be any

// taskwait with a depend clause: waits for the tasks that a task with this clause would wait for.
// May switch.
void task_wait_depend(member& m, std::span<const dependence> clause);

// Waits until nothing but the caller's own share keeps `of`, a detached task that could not be
// deferred, from its end. May switch.
void wait_for_event(member& m, task& of);

// Runs one task if one may run here. May switch.
void task_yield(member& m);

// `workshare`: taskgroup::workshare.
void taskgroup_begin(member& m, bool workshare = false);
void taskgroup_end(member& m);

// For barriers: runs tasks of the team until everything below this member's implicit task is
// complete.
void complete_own_tasks(member& m);

// For those who wait in a barrier: runs one task of the team, own or stolen; false when none was
// found.
bool help_with_tasks(member& m);

// The group that `cancel taskgroup` in task `t` means; nullptr when there is none.
taskgroup* cancellable_group(const task& t) noexcept;

// A guess whether any member of the team has a task queued.
bool tasks_queued(const team& t) noexcept;

// Why a member that sleeps or spins should rather run tasks.
wake_reason tasks_reason(const team& t) noexcept;

// A task was queued: wakes a member that sleeps for want of tasks, if a worker is idle. Makes a
// full fence.
void call_helpers(team& t) noexcept;

// From now on tasks are queued however many there are. Any thread.
void queue_all_tasks() noexcept;

// omp_fulfill_event: the event of a detached task. Any thread.
void fulfill_event(void* event);

// When all tasks of the team are complete, before it is used again or freed: waits until threads
// outside of it that ended some have done with it. Rarely waits. May switch.
void await_outsiders(team& t) noexcept;

}  // namespace artel::openmp
