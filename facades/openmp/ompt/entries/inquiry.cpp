// The inquiry functions of a tool (OpenMP 5.1, 4.6.1). A thread without a task gets answers that
// say so; asking does not make it an OpenMP thread.
#include "ompt/interface/attached.hpp"
#include "ompt/interface/callbacks.hpp"
#include "ompt/interface/thread.hpp"
#include "places_inquiry.hpp"
#include "team/team.hpp"
#include "tool.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace artel::openmp::ompt {
namespace {

// --- callbacks -----------------------------------------------------------------------------------

bool is_event(int number) noexcept
{
    switch (static_cast<event>(number)) {
    case event::thread_begin:
    case event::thread_end:
    case event::parallel_begin:
    case event::parallel_end:
    case event::task_create:
    case event::task_schedule:
    case event::implicit_task:
    case event::control_tool:
    case event::sync_region_wait:
    case event::mutex_released:
    case event::dependences:
    case event::task_dependence:
    case event::work:
    case event::masked:
    case event::sync_region:
    case event::lock_init:
    case event::lock_destroy:
    case event::mutex_acquire:
    case event::mutex_acquired:
    case event::nest_lock:
    case event::flush:
    case event::cancel:
    case event::reduction:
    case event::dispatch:
    case event::error: return true;
    }
    return false;
}

set_result set_callback(int number, any_function function) noexcept
{
    if (number <= 0 || number >= most_events) {
        return set_result::error;
    }
    if (!is_event(number)) {
        return set_result::never;  // events of devices, of which there are none
    }
    // release: pairs with callback_of.
    callbacks[number].store(function, std::memory_order_release);
    return set_result::always;
}

int get_callback(int number, any_function* function) noexcept
{
    if (number <= 0 || number >= most_events || !attached()) {
        return 0;
    }
    // acquire: as in callback_of.
    const any_function set = callbacks[number].load(std::memory_order_acquire);
    if (set == nullptr) {
        return 0;
    }
    if (function != nullptr) {
        *function = set;
    }
    return 1;
}

// --- threads -------------------------------------------------------------------------------------

struct named {
    int number;
    const char* name;
};

#define ARTEL_OMPT_STATE(name) {static_cast<int>(state::name), "ompt_state_" #name}
constexpr named states[] = {ARTEL_OMPT_STATE(undefined),
                            ARTEL_OMPT_STATE(work_serial),
                            ARTEL_OMPT_STATE(work_parallel),
                            ARTEL_OMPT_STATE(work_reduction),
                            ARTEL_OMPT_STATE(wait_barrier_implicit_parallel),
                            ARTEL_OMPT_STATE(wait_barrier_implicit_workshare),
                            ARTEL_OMPT_STATE(wait_barrier_explicit),
                            ARTEL_OMPT_STATE(wait_barrier_implementation),
                            ARTEL_OMPT_STATE(wait_barrier_teams),
                            ARTEL_OMPT_STATE(wait_taskwait),
                            ARTEL_OMPT_STATE(wait_taskgroup),
                            ARTEL_OMPT_STATE(wait_mutex),
                            ARTEL_OMPT_STATE(wait_lock),
                            ARTEL_OMPT_STATE(wait_critical),
                            ARTEL_OMPT_STATE(wait_atomic),
                            ARTEL_OMPT_STATE(wait_ordered),
                            ARTEL_OMPT_STATE(wait_target),
                            ARTEL_OMPT_STATE(wait_target_map),
                            ARTEL_OMPT_STATE(wait_target_update),
                            ARTEL_OMPT_STATE(idle),
                            ARTEL_OMPT_STATE(overhead)};
#undef ARTEL_OMPT_STATE
constexpr named locks[] = {{static_cast<int>(mutex_none), "none"},
                           {static_cast<int>(mutex_queuing), "queuing"}};

template <std::size_t Count>
int next_of(const named (&list)[Count], int current, int* next, const char** name) noexcept
{
    for (std::size_t i = 0; i + 1 < Count; ++i) {
        if (list[i].number == current) {
            *next = list[i + 1].number;
            *name = list[i + 1].name;
            return 1;
        }
    }
    return 0;
}

int enumerate_states(int current, int* next, const char** name) noexcept
{
    return next_of(states, current, next, name);
}

int enumerate_mutex_impls(int current, int* next, const char** name) noexcept
{
    return next_of(locks, current, next, name);
}

data* get_thread_data() noexcept
{
    thread_record& t = this_thread();
    return t.known ? &t.thread_data : nullptr;
}

int get_state(wait_id* waits_for) noexcept
{
    const thread_record& t = this_thread();
    if (waits_for != nullptr) {
        *waits_for = t.waits_for;
    }
    return static_cast<int>(t.known ? t.doing : state::work_serial);
}

// Each thread takes a block of numbers once.
std::uint64_t get_unique_id() noexcept
{
    constexpr unsigned bits_in_block = 40;
    static constinit std::atomic<std::uint64_t> blocks{1};
    static constinit thread_local std::uint64_t last = 0;
    if (last == 0) {
        // relaxed: only distinct.
        last = blocks.fetch_add(1, std::memory_order_relaxed) << bits_in_block;
    }
    return ++last;
}

// --- regions and tasks ---------------------------------------------------------------------------

int get_parallel_info(int level, data** parallel, int* size) noexcept
{
    const member* const m = asking();
    if (m == nullptr || level < 0 || !attached()) {
        return 0;
    }
    team* t = m->in;
    for (; level > 0 && t != nullptr; --level) {
        // the teams of a league are not told of what encloses it.
        t = t->of == nullptr ? t->parent : nullptr;
    }
    if (t == nullptr) {
        return 0;
    }
    if (parallel != nullptr) {
        *parallel = &t->tool.parallel_data;
    }
    if (size != nullptr) {
        *size = static_cast<int>(t->size);
    }
    return 2;
}

// A task, the team it runs in, and the number of the member that runs it.
struct running {
    task* what;
    team* in;
    unsigned number;
};

// Moves `at` one level out: to the task that it interrupted, or to the task in which the master met
// the region.
bool go_out(running& at) noexcept
{
    if (!at.what->is_implicit) {
        if (at.what->tool->interrupted == nullptr) {
            return false;
        }
        at.what = at.what->tool->interrupted;
        return true;
    }
    if (at.in->parent == nullptr || at.in->of != nullptr) {
        return false;
    }
    const member& master = *at.in->members[0].outer;
    at = {master.current, at.in->parent, at.in->parent_number};
    return true;
}

int get_task_info(int level, int* flags, data** task_data, frame** task_frame, data** parallel,
                  int* number) noexcept
{
    const member* const m = asking();
    if (m == nullptr || level < 0 || !attached() || m->current->tool == nullptr) {
        return 0;
    }
    running at{m->current, m->in, m->number};
    for (; level > 0; --level) {
        if (!go_out(at)) {
            return 0;
        }
    }
    task_record& r = *at.what->tool;
    if (flags != nullptr) {
        *flags = r.flags;
    }
    if (task_data != nullptr) {
        *task_data = &r.task_data;
    }
    if (task_frame != nullptr) {
        *task_frame = &r.where;
    }
    if (parallel != nullptr) {
        *parallel = &at.in->tool.parallel_data;
    }
    if (number != nullptr) {
        *number = static_cast<int>(at.number);
    }
    return 2;
}

int get_task_memory(void** address, std::size_t* size, int block) noexcept
{
    const member* const m = asking();
    if (m == nullptr || block != 0 || !attached() || m->current->tool == nullptr ||
        m->current->is_implicit) {
        return 0;
    }
    *address = m->current->tool->memory;
    *size = m->current->tool->memory_size;
    return 0;  // no more blocks
}

}  // namespace

any_function entry_point(const char* name) noexcept
{
    struct entry {
        std::string_view name;
        any_function function;
    };
#define ARTEL_OMPT_ENTRY(name) {"ompt_" #name, reinterpret_cast<any_function>(&name)}
    const entry entries[] = {ARTEL_OMPT_ENTRY(set_callback),
                             ARTEL_OMPT_ENTRY(get_callback),
                             ARTEL_OMPT_ENTRY(enumerate_states),
                             ARTEL_OMPT_ENTRY(enumerate_mutex_impls),
                             ARTEL_OMPT_ENTRY(get_thread_data),
                             ARTEL_OMPT_ENTRY(get_state),
                             ARTEL_OMPT_ENTRY(get_unique_id),
                             ARTEL_OMPT_ENTRY(get_parallel_info),
                             ARTEL_OMPT_ENTRY(get_task_info),
                             ARTEL_OMPT_ENTRY(get_task_memory),
                             ARTEL_OMPT_ENTRY(get_num_procs),
                             ARTEL_OMPT_ENTRY(get_num_places),
                             ARTEL_OMPT_ENTRY(get_place_proc_ids),
                             ARTEL_OMPT_ENTRY(get_place_num),
                             ARTEL_OMPT_ENTRY(get_partition_place_nums),
                             ARTEL_OMPT_ENTRY(get_proc_id),
                             ARTEL_OMPT_ENTRY(get_target_info),
                             ARTEL_OMPT_ENTRY(get_num_devices),
                             {"ompt_finalize_tool", &finish_tool}};
#undef ARTEL_OMPT_ENTRY
    const auto* const found = std::find_if(std::begin(entries), std::end(entries),
                                           [&](const entry& e) { return e.name == name; });
    return found != std::end(entries) ? found->function : nullptr;
}

}  // namespace artel::openmp::ompt
