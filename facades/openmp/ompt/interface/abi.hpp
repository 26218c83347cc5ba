// The binary interface between an OpenMP runtime and a tool (OpenMP 5.1, chapter 4, OMPT): the
// numbers, data and callback types that we use. Names are the specification's without the prefix
// ompt_. Tools are foreign code: nothing here may change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::openmp::ompt {

// A tool's own data for a thread, a region or a task; zero when the tool first sees it.
union data {
    std::uint64_t value;
    void* pointer;
};

// The frames where a task entered the runtime from the program (enter), and where the runtime
// called the program back (exit). Null when it has not.
struct frame {
    data exit;
    data enter;
    int exit_flags;
    int enter_flags;
};
static_assert(sizeof(frame) == 24);

namespace frame_flag {
inline constexpr int runtime = 0x00;
inline constexpr int application = 0x01;
inline constexpr int cfa = 0x10;
inline constexpr int frame_pointer = 0x20;
}  // namespace frame_flag

// Events, by the numbers of ompt_set_callback.
enum class event : int {
    thread_begin = 1,
    thread_end = 2,
    parallel_begin = 3,
    parallel_end = 4,
    task_create = 5,
    task_schedule = 6,
    implicit_task = 7,
    control_tool = 11,
    sync_region_wait = 16,
    mutex_released = 17,
    dependences = 18,
    task_dependence = 19,
    work = 20,
    masked = 21,
    sync_region = 23,
    lock_init = 24,
    lock_destroy = 25,
    mutex_acquire = 26,
    mutex_acquired = 27,
    nest_lock = 28,
    flush = 29,
    cancel = 30,
    reduction = 31,
    dispatch = 32,
    error = 37,
};
inline constexpr int most_events = 38;

enum class set_result : int {
    error = 0,
    never = 1,
    impossible = 2,
    sometimes = 3,
    sometimes_paired = 4,
    always = 5
};
enum class thread_kind : int { initial = 1, worker = 2, other = 3, unknown = 4 };
enum class endpoint : int { begin = 1, end = 2, beginend = 3 };
enum class dispatch_kind : int {
    iteration = 1,
    section = 2,
    loop_chunk = 3,
    taskloop_chunk = 4,
    distribute_chunk = 5
};
enum class task_status : int {
    complete = 1,
    yield = 2,
    cancel = 3,
    detach = 4,
    early_fulfill = 5,
    late_fulfill = 6,
    switch_ = 7,
    taskwait_complete = 8,
};

enum class sync_kind : int {
    barrier_explicit = 3,
    barrier_implementation = 4,
    taskwait = 5,
    taskgroup = 6,
    reduction = 7,
    barrier_implicit_workshare = 8,
    barrier_implicit_parallel = 9,
    barrier_teams = 10,
};

enum class work_kind : int {
    loop = 1,
    sections = 2,
    single_executor = 3,
    single_other = 4,
    workshare = 5,
    distribute = 6,
    taskloop = 7,
    scope = 8,
    loop_static = 10,
    loop_dynamic = 11,
    loop_guided = 12,
    loop_other = 13,
};

enum class mutex_kind : int {
    lock = 1,
    test_lock = 2,
    nest_lock = 3,
    test_nest_lock = 4,
    critical = 5,
    atomic = 6,
    ordered = 7
};

namespace task_flag {
inline constexpr int initial = 0x1;
inline constexpr int implicit = 0x2;
inline constexpr int explicit_ = 0x4;
inline constexpr int target = 0x8;
inline constexpr int taskwait = 0x10;
inline constexpr int undeferred = 0x08000000;
inline constexpr int untied = 0x10000000;
inline constexpr int final = 0x20000000;
inline constexpr int mergeable = 0x40000000;
}  // namespace task_flag

namespace parallel_flag {
inline constexpr unsigned invoker_program = 0x1;
inline constexpr unsigned invoker_runtime = 0x2;
inline constexpr unsigned league = 0x40000000;
inline constexpr unsigned team = 0x80000000;
}  // namespace parallel_flag

namespace cancel_flag {
inline constexpr int parallel = 0x01;
inline constexpr int sections = 0x02;
inline constexpr int loop = 0x04;
inline constexpr int taskgroup = 0x08;
inline constexpr int activated = 0x10;
inline constexpr int detected = 0x20;
inline constexpr int discarded_task = 0x40;
}  // namespace cancel_flag

enum class state : int {
    work_serial = 0x000,
    work_parallel = 0x001,
    work_reduction = 0x002,
    wait_barrier_implicit_parallel = 0x011,
    wait_barrier_implicit_workshare = 0x012,
    wait_barrier_explicit = 0x014,
    wait_barrier_implementation = 0x015,
    wait_barrier_teams = 0x016,
    wait_taskwait = 0x020,
    wait_taskgroup = 0x021,
    wait_mutex = 0x040,
    wait_lock = 0x041,
    wait_critical = 0x042,
    wait_atomic = 0x043,
    wait_ordered = 0x044,
    wait_target = 0x080,
    wait_target_map = 0x081,
    wait_target_update = 0x082,
    idle = 0x100,
    overhead = 0x101,
    undefined = 0x102,
};

enum class dependence_kind : int {
    in = 1,
    out = 2,
    inout = 3,
    mutexinoutset = 4,
    source = 5,
    sink = 6,
    inoutset = 7,
    out_all_memory = 34,
    inout_all_memory = 35,
};

struct dependence {
    data variable;
    dependence_kind kind;
};

struct chunk {
    std::uint64_t start;
    std::uint64_t iterations;
};

// Lock implementations for ompt_enumerate_mutex_impls; we have one.
inline constexpr unsigned mutex_none = 0;
inline constexpr unsigned mutex_queuing = 2;

using wait_id = std::uint64_t;
using any_function = void (*)();
using lookup_function = any_function (*)(const char* name);

struct start_result {
    int (*initialize)(lookup_function lookup, int initial_device, data* tool);
    void (*finalize)(data* tool);
    data tool;
};
using start_function = start_result* (*)(unsigned omp_version, const char* runtime_version);

// The type of each event's callback.
template <event>
struct callback;

#define ARTEL_OMPT_CALLBACK(name, ...)      \
    template <>                             \
    struct callback<event::name> {          \
        using type = void (*)(__VA_ARGS__); \
    }

ARTEL_OMPT_CALLBACK(thread_begin, thread_kind, data* thread);
ARTEL_OMPT_CALLBACK(thread_end, data* thread);
ARTEL_OMPT_CALLBACK(parallel_begin, data* task, const frame* task_frame, data* parallel,
                    unsigned requested, int flags, const void* code);
ARTEL_OMPT_CALLBACK(parallel_end, data* parallel, data* task, int flags, const void* code);
ARTEL_OMPT_CALLBACK(task_create, data* task, const frame* task_frame, data* made, int flags,
                    int has_dependences, const void* code);
ARTEL_OMPT_CALLBACK(task_schedule, data* prior, task_status, data* next);
ARTEL_OMPT_CALLBACK(implicit_task, endpoint, data* parallel, data* task, unsigned actual,
                    unsigned number, int flags);
ARTEL_OMPT_CALLBACK(sync_region, sync_kind, endpoint, data* parallel, data* task, const void* code);
ARTEL_OMPT_CALLBACK(sync_region_wait, sync_kind, endpoint, data* parallel, data* task,
                    const void* code);
ARTEL_OMPT_CALLBACK(reduction, sync_kind, endpoint, data* parallel, data* task, const void* code);
ARTEL_OMPT_CALLBACK(mutex_acquire, mutex_kind, unsigned hint, unsigned implementation, wait_id,
                    const void* code);
ARTEL_OMPT_CALLBACK(mutex_acquired, mutex_kind, wait_id, const void* code);
ARTEL_OMPT_CALLBACK(mutex_released, mutex_kind, wait_id, const void* code);
ARTEL_OMPT_CALLBACK(lock_init, mutex_kind, unsigned hint, unsigned implementation, wait_id,
                    const void* code);
ARTEL_OMPT_CALLBACK(lock_destroy, mutex_kind, wait_id, const void* code);
ARTEL_OMPT_CALLBACK(nest_lock, endpoint, wait_id, const void* code);
ARTEL_OMPT_CALLBACK(dependences, data* task, const dependence* list, int count);
ARTEL_OMPT_CALLBACK(task_dependence, data* first, data* second);
ARTEL_OMPT_CALLBACK(work, work_kind, endpoint, data* parallel, data* task, std::uint64_t count,
                    const void* code);
ARTEL_OMPT_CALLBACK(masked, endpoint, data* parallel, data* task, const void* code);
ARTEL_OMPT_CALLBACK(flush, data* thread, const void* code);
ARTEL_OMPT_CALLBACK(cancel, data* task, int flags, const void* code);
ARTEL_OMPT_CALLBACK(dispatch, data* parallel, data* task, dispatch_kind, data instance);
ARTEL_OMPT_CALLBACK(error, int severity, const char* message, std::size_t length, const void* code);

#undef ARTEL_OMPT_CALLBACK

template <>
struct callback<event::control_tool> {
    using type = int (*)(std::uint64_t command, std::uint64_t modifier, void* argument,
                         const void* code);
};

}  // namespace artel::openmp::ompt
