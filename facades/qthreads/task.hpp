// A qthread: a unit that a stream runs, with the state that the interface adds. spawn.cpp makes it,
// and it is freed at its end; that of the program's own thread is static (program.cpp).
#pragma once

#include "keys.hpp"
#include "sched/feb_table.hpp"
#include "sched/stream.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::qthreads {

using task_function = std::uint64_t (*)(void* argument);
using shepherd_id = unsigned short;
inline constexpr shepherd_id no_shepherd = 0xffff;

struct team;

// The flags of qthread_spawn, with the numbers of the binary interface.
enum spawn_flag : unsigned {
    simple = 1u << 1,
    new_team = 1u << 2,
    new_subteam = 1u << 3,
    returns_syncvar = 1u << 4,
    returns_sinc = 1u << 5,
    returns_sinc_void = 1u << 6,
    awaits_syncvars = 1u << 7
};

struct task : sched::unit {
    task_function body = nullptr;
    void* argument = nullptr;
    void* result = nullptr;  // a word, a syncvar or a sinc, by the flags; may be nullptr
    unsigned flags = 0;
    team* in = nullptr;
    bool founder = false;    // the first member of its team
    void* copied = nullptr;  // the argument's copy, on the heap
    void* local = nullptr;   // task-local data, on the heap once asked for
    std::size_t local_size = 0;
    specifics kept;           // values of keys
    void* barrier = nullptr;  // of qt_set_barrier

    // A precondition: a word that has to be full before the task begins.
    struct awaited : sched::feb::callback {
        task* of = nullptr;
    } precondition;
    void** preconditions = nullptr;
    std::size_t preconditions_left = 0;
};

// The calling qthread; nullptr for other callers, also for units of other interfaces.
inline task* self() noexcept
{
    sched::unit* const u = sched::this_unit();
    return u != nullptr && u->rules == nullptr ? static_cast<task*>(u) : nullptr;
}

// The Qthreads worker on which it runs; nullptr in the same cases, and in a blocking call.
inline sched::stream* own_stream() noexcept
{
    return self() != nullptr ? sched::this_stream() : nullptr;
}

// Writes the value to the task's result.
void deliver(unsigned flags, void* result, std::uint64_t value) noexcept;

}  // namespace artel::qthreads
