// GOMP_task and its relatives.
#include "team/task.hpp"
#include "abi/abi.hpp"
#include "abi/task_loop.hpp"
#include "depend.hpp"
#include "loop.hpp"
#include "ompt/entries/sync.hpp"
#include "ompt/events/explicit_task.hpp"
#include "region_flags.hpp"
#include "tasking/task_reduction.hpp"
#include "tasking/undeferred.hpp"
#include "team/team.hpp"

#include <cstdint>

using namespace artel::openmp;

namespace {

// Bits of `flags`, as gcc emits them.
constexpr unsigned flag_untied = 1u << 0;
constexpr unsigned flag_final = 1u << 1;
constexpr unsigned flag_mergeable = 1u << 2;
constexpr unsigned flag_depend = 1u << 3;
constexpr unsigned flag_priority = 1u << 4;
constexpr unsigned flag_up = 1u << 8;
constexpr unsigned flag_grainsize = 1u << 9;
constexpr unsigned flag_if = 1u << 10;
constexpr unsigned flag_nogroup = 1u << 11;
constexpr unsigned flag_reduction = 1u << 12;
constexpr unsigned flag_detach = 1u << 13;
constexpr unsigned flag_strict = 1u << 14;

void loop(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes,
          long alignment, unsigned flags, unsigned long amount, int priority,
          const loop_bounds& bounds, const ompt::caller* told_to = nullptr)
{
    task_loop_options options;
    options.told_to = told_to;
    options.each.deferred = (flags & flag_if) != 0;
    options.each.untied = (flags & flag_untied) != 0;
    options.each.final = (flags & flag_final) != 0;
    options.each.mergeable = (flags & flag_mergeable) != 0;
    options.each.priority = (flags & flag_priority) != 0 ? priority : 0;
    options.each.must_run = copy != nullptr;
    options.grainsize = (flags & flag_grainsize) != 0;
    options.strict = (flags & flag_strict) != 0;
    options.group = (flags & flag_nogroup) == 0;
    options.reductions = (flags & flag_reduction) != 0;
    options.amount = amount;
    task_loop(this_member(), function, data, copy, static_cast<std::size_t>(bytes),
              static_cast<std::size_t>(alignment), bounds.first, bounds.end, bounds.increment,
              bounds.count, options);
}

template <class... Arguments>
void tell_loop(ompt::caller who, Arguments... arguments)
{
    const ompt::in_runtime here(*this_member().current, who);
    loop(arguments..., &who);
}

std::vector<ompt::dependence> told_dependences(const depend_list& list)
{
    const std::span<const dependence> all = list;
    std::vector<ompt::dependence> told;
    for (const dependence& d : all) {
        told.push_back(ompt::told(d));
    }
    return told;
}

void make_told(ompt::caller who, void (*function)(void*), void* data, void (*copy)(void*, void*),
               long bytes, long alignment, task_options& options, void** depend)
{
    member& m = this_member();
    const ompt::in_runtime here(*m.current, who);
    const depend_list list = depend != nullptr ? dependences_of(depend) : depend_list();
    options.dependences = list;
    create_told_task(m, function, data, copy, static_cast<std::size_t>(bytes),
                     static_cast<std::size_t>(alignment), options, told_dependences(list), who);
}

// For GOMP_parallel_reductions: the group that carries the region's reductions, and the size of the
// team.
struct reducing_region {
    taskgroup group;
    std::uintptr_t* array;
    unsigned members;
};

void open_reductions(team& t, void* argument)
{
    auto& region = *static_cast<reducing_region*>(argument);
    region.members = t.size;
    allocate_reductions(region.array, nullptr, t.size);
    region.group.reductions = region.array;
    t.tasking.region_group = &region.group;
}

}  // namespace

namespace {

// The arguments of GOMP_task.
struct task_call {
    void (*function)(void*);
    void* data;
    void (*copy)(void*, void*);
    long bytes;
    long alignment;
    bool if_clause;
    unsigned flags;
    void** depend;
    int priority;
    void* detach;
};

// The slow path of GOMP_task, for tasks that are not simply executed at once. Out of line, with
// arguments in memory, so that the fast path saves no registers.
[[gnu::noinline]] void make(const task_call& of, const ompt::caller& who)
{
    member& m = this_member();
    task_options options;
    options.deferred = of.if_clause;
    options.untied = (of.flags & flag_untied) != 0;
    options.final = (of.flags & flag_final) != 0;
    options.mergeable = (of.flags & flag_mergeable) != 0;
    options.must_run = of.copy != nullptr;
    options.priority = (of.flags & flag_priority) != 0 ? of.priority : 0;
    options.detach = (of.flags & flag_detach) != 0 ? of.detach : nullptr;
    void** const depend = (of.flags & flag_depend) != 0 ? of.depend : nullptr;
    const auto bytes = static_cast<std::size_t>(of.bytes);
    const auto alignment = static_cast<std::size_t>(of.alignment);
    // Asked after this_member(), which attaches a tool if nothing was called before.
    if (ompt::listens()) [[unlikely]] {
        make_told(who, of.function, of.data, of.copy, of.bytes, of.alignment, options, depend);
    } else if (depend != nullptr) [[unlikely]] {
        const depend_list list = dependences_of(depend);
        options.dependences = list;
        create_task(m, of.function, of.data, of.copy, bytes, alignment, options);
    } else {
        create_task(m, of.function, of.data, of.copy, bytes, alignment, options);
    }
}

}  // namespace

ARTEL_GOMP void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                          long bytes, long alignment, bool if_clause, unsigned flags, void** depend,
                          int priority, void* detach)
{
    // nullptr: this thread has not called the runtime before.
    auto* const m = static_cast<member*>(artel::fiber::this_tls().local);
    if (!ompt::listens() && (flags & flag_detach) == 0 && m != nullptr &&
        runs_undeferred(*m, if_clause) &&
        ((flags & flag_depend) == 0 || !may_have_predecessors(*m))) {
        // Arguments that need no constructor are the body's as they are.
        if (copy == nullptr) [[likely]] {
            run_undeferred(*m, function, data, (flags & flag_final) != 0);
            return;
        }
        if (bytes + alignment <= most_copied) {
            run_copied_undeferred(*m, function, data, copy, static_cast<std::size_t>(bytes),
                                  static_cast<std::size_t>(alignment), (flags & flag_final) != 0);
            return;
        }
    }
    asm(""
        : "+m"(depend), "+m"(priority),
          // until here these arguments stay where the caller has put them, and need no registers.
          "+m"(detach));
    const task_call of{function,  data,  copy,   bytes,    alignment,
                       if_clause, flags, depend, priority, detach};
    const ompt::caller who = ARTEL_OMPT_CALLER;
    make(of, who);
}

ARTEL_GOMP void GOMP_taskwait()
{
    ARTEL_OMPT_EITHER(tell_taskwait(who), task_wait(this_member()));
}

ARTEL_GOMP void GOMP_taskwait_depend(void** depend)
{
    ARTEL_OMPT_EITHER(
        tell_taskwait_depend(who, dependences_of(depend), told_dependences(dependences_of(depend))),
        task_wait_depend(this_member(), dependences_of(depend)));
}

// gcc has called it since 13: an empty task that others may depend on.
ARTEL_GOMP void GOMP_taskwait_depend_nowait(void** depend)
{
    const task_call of{[](void*) {}, nullptr, nullptr, 0, 1, true, flag_depend, depend, 0, nullptr};
    make(of, ARTEL_OMPT_CALLER);
}

ARTEL_GOMP void GOMP_taskloop(void (*function)(void*), void* data, void (*copy)(void*, void*),
                              long bytes, long alignment, unsigned flags, unsigned long amount,
                              int priority, long first, long end, long by)
{
    ARTEL_OMPT_EITHER(tell_loop(who, function, data, copy, bytes, alignment, flags, amount,
                                priority, bounds(first, end, by)),
                      loop(function, data, copy, bytes, alignment, flags, amount, priority,
                           bounds(first, end, by)));
}

ARTEL_GOMP void GOMP_taskloop_ull(void (*function)(void*), void* data, void (*copy)(void*, void*),
                                  long bytes, long alignment, unsigned flags, unsigned long amount,
                                  int priority, ull first, ull end, ull by)
{
    ARTEL_OMPT_EITHER(tell_loop(who, function, data, copy, bytes, alignment, flags, amount,
                                priority, bounds((flags & flag_up) != 0, first, end, by)),
                      loop(function, data, copy, bytes, alignment, flags, amount, priority,
                           bounds((flags & flag_up) != 0, first, end, by)));
}

ARTEL_GOMP void GOMP_taskgroup_reduction_register(std::uintptr_t* array)
{
    register_reductions(this_member(), array);
}

ARTEL_GOMP void GOMP_taskgroup_reduction_unregister(std::uintptr_t* array)
{
    free_reductions(array);
}

ARTEL_GOMP void GOMP_task_reduction_remap(std::size_t count, std::size_t originals,
                                          void** addresses)
{
    remap_reductions(this_member(), count, originals, addresses);
}

// The end of a worksharing construct with task reductions: member 0 has combined the copies, after
// the construct's barrier; or the region was cancelled, and each member has unregistered its own.
ARTEL_GOMP void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
    member& m = this_member();
    std::uintptr_t* const array = m.current->group->reductions;
    taskgroup_end(m);
    if (m.number == 0) {
        cancelled ? leave_reductions(m, array) : free_reductions(array);
    }
    if (!cancelled) {
        barrier(m);
    }
}

ARTEL_GOMP unsigned GOMP_parallel_reductions(void (*function)(void*), void* data, unsigned threads,
                                             unsigned flags)
{
    reducing_region region{{}, *static_cast<std::uintptr_t**>(data), 0};
    if (ompt::attached()) [[unlikely]] {
        ompt::tell_parallel(ARTEL_OMPT_CALLER, function, data, threads, open_reductions, &region,
                            bind_clause(flags));
    } else {
        parallel(function, data, threads, open_reductions, &region, bind_clause(flags));
    }
    return region.members;  // the caller combines this many copies and frees them
}

ARTEL_GOMP void GOMP_scope_start(std::uintptr_t* reductions)
{
    if (reductions != nullptr) {
        start_workshare_reductions(this_member(), reductions);
    }
}

ARTEL_GOMP void GOMP_taskyield()
{
    ARTEL_OMPT_EITHER(tell_taskyield(who), task_yield(this_member()));
}

ARTEL_GOMP void GOMP_taskgroup_start()
{
    ARTEL_OMPT_EITHER(tell_taskgroup_begin(who), taskgroup_begin(this_member()));
}

ARTEL_GOMP void GOMP_taskgroup_end()
{
    ARTEL_OMPT_EITHER(tell_taskgroup_end(who, taskgroup_end), taskgroup_end(this_member()));
}

ARTEL_GOMP void omp_fulfill_event(void* event)
{
    fulfill_event(event);
}

// omp_lib declares the argument with the value attribute.
ARTEL_GOMP void omp_fulfill_event_(std::intptr_t event)
{
    fulfill_event(reinterpret_cast<void*>(event));
}
