// GOMP_task and its relatives.
#include "abi.hpp"
#include "task.hpp"
#include "team.hpp"

#include <cstdint>

using namespace artel::openmp;

namespace {

// Bits of `flags`, as gcc emits them.
constexpr unsigned flag_untied = 1u << 0;
constexpr unsigned flag_final = 1u << 1;
constexpr unsigned flag_mergeable = 1u << 2;
constexpr unsigned flag_depend = 1u << 3;
constexpr unsigned flag_priority = 1u << 4;
constexpr unsigned flag_detach = 1u << 13;

}  // namespace

ARTEL_GOMP void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment, bool if_clause,
                          unsigned flags, void** depend, int priority, void* detach)
{
    task_options options;
    options.deferred = if_clause;
    options.untied = (flags & flag_untied) != 0;
    options.final = (flags & flag_final) != 0;
    options.mergeable = (flags & flag_mergeable) != 0;
    options.dependences = (flags & flag_depend) != 0 ? depend : nullptr;
    options.priority = (flags & flag_priority) != 0 ? priority : 0;
    options.detach = (flags & flag_detach) != 0 ? detach : nullptr;
    create_task(this_member(), function, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment), options);
}

ARTEL_GOMP void GOMP_taskwait()
{
    task_wait(this_member());
}

ARTEL_GOMP void GOMP_taskyield()
{
    task_yield(this_member());
}

ARTEL_GOMP void GOMP_taskgroup_start()
{
    taskgroup_begin(this_member());
}

ARTEL_GOMP void GOMP_taskgroup_end()
{
    taskgroup_end(this_member());
}

ARTEL_GOMP void omp_fulfill_event(void* event)
{
    fulfill_event(event);
}

ARTEL_GOMP void omp_fulfill_event_(const std::intptr_t* event)
{
    fulfill_event(reinterpret_cast<void*>(*event));
}
