// Teams and their members. A member is one thread of a team: it runs on a persona (number >= 1) or
// on the context that met the parallel construct (number 0). Everything in a member belongs to
// whoever runs as that member unless marked shared.
//
// Three kinds of teams: hot ones, kept by an external thread between its regions, so that member i
// is always the same persona (hot_team.cpp); nested ones, whose members are started by whichever
// workers have time (nested_team.cpp); and teams of one, which are nested teams without anybody to
// start.
#pragma once

#include "base/cpu.hpp"
#include "fiber/fiber.hpp"
#include "settings/icv.hpp"
#include "settings/place_position.hpp"
#include "task_memory.hpp"
#include "task_state.hpp"
#include "waiting/attendance.hpp"
#include "waiting/barrier.hpp"
#include "worksharing_state.hpp"

#include <atomic>
#include <cstdint>

namespace artel::openmp {

struct root;
struct team;
class nested_team;

struct alignas(base::cache_line) member {
    team* in = nullptr;
    unsigned number = 0;  // omp_get_thread_num
    // the task that runs now; never nullptr while the member runs; its ICVs are those in force.
    task* current = nullptr;
    member* outer = nullptr;       // number 0 only: what the context was before this region
    nested_team* spare = nullptr;  // a nested team to use again
    place_position where;          // in a team of several: set by the master before the region
    // hot teams: who should carry the member, as far as places decide that.
    sched::worker* home = nullptr;
    std::uint64_t gate_seen = 0;  // hot teams: the region that this member took part in last
    implicit_task implicit;       // this member's implicit task
    // how many worksharing constructs this member has met (team/worksharing_state.hpp).
    worksharing_position position;
    task_allocator task_memory;         // freed tasks, to be used again
    taskgroup* spare_groups = nullptr;  // the same of groups, linked by `outer`
    struct {
        unsigned threads = 0;  // of the next region; 0: nthreads-var
        unsigned bind = 0;     // of the next region, as parallel()'s flags; 0: bind-var
        unsigned teams = 0;    // of the next league, and their threads
        unsigned team_threads = 0;
    } pushed;  // by calls before the construct (abi/kmp/fork.cpp)
    // threads that OpenBLAS, called inside a region, was promised for its regions (blas.hpp).
    unsigned gang = 0;
    bool reduces_alone = false;  // between the two calls of a reduction (abi/kmp/reduce.cpp)
    attendance met;              // shared: barriers, in regions that can be cancelled
    // shared: explicit tasks made by this member, stolen by others of the team.
    task_deque tasks{64};
    ompt::task_record tool;  // of the implicit task

    member() = default;
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member();
};

using region_function = void (*)(void*);

struct team {
    unsigned size = 1;
    // omp_get_level: enclosing parallel regions, serialized ones included.
    unsigned level = 0;
    unsigned active_level = 0;  // omp_get_active_level
    // the enclosing team; nullptr for the implicit one of an OS thread or native light thread.
    team* parent = nullptr;
    root* of = nullptr;          // whose implicit team it is (root.hpp); nullptr: a region's
    unsigned parent_number = 0;  // the master's number in it
    member* members = nullptr;   // [size] in use

    bool hot = false;
    bool shows_affinity = false;  // OMP_DISPLAY_AFFINITY: members are to say where they are
    unsigned
        // threads that this region has added to its contention group, when that is limited; see
        // also frees_initial.
        counted = 0;
    // Where regions can be cancelled, the number of this one; else 0.
    std::uint32_t cancellable = 0;
    // forks seen when the team was made: a child of a fork has none of its members.
    std::uint64_t crew_generation = 0;

    // shared from here on
    team_barrier barrier;
    // members that are done with the region; cancellation must not disturb it.
    arrival_counter ending;
    worksharing_state worksharing;  // team/worksharing_state.hpp
    task_state tasking;             // task.hpp
    // where members are claimed one by one (nested_team.hpp): the first that is not.
    const std::atomic<unsigned>* claims = nullptr;
    // copyprivate of the kmp interface: between two barriers, the variables of who executed the
    // single.
    void* broadcast = nullptr;
    std::atomic<bool> cancelled{false};  // cancel parallel
    // the team of an initial thread: threads of its contention group, as far as they were counted.
    std::atomic<unsigned> group_threads{1};
    ompt::team_record tool;

    team() = default;
    team(const team&) = delete;
    team& operator=(const team&) = delete;

    // The groups in which the members of a team of so many count themselves in.
    static unsigned groups_of(unsigned size) noexcept;
    // For up to so many members, before anybody uses the team: setting it up for a region then asks
    // for no memory, and moves nothing that somebody of the last region may still hold. Throws
    // std::bad_alloc.
    void reserve(unsigned most);
};

// The member that the caller runs as. An OS thread (or native light thread) outside any region is
// member 0 of a team of one, made at its first call. Never nullptr. Valid until the region ends.
member& first_member() noexcept;  // that first call's half, which is rare
inline member& this_member() noexcept
{
    void* const known = fiber::this_tls().local;
    if (known == nullptr) [[unlikely]] {
        return first_member();
    }
    return *static_cast<member*>(known);
}

// The rare half of lasting_task() (tasking/task_creation.cpp).
[[gnu::cold]] void leave_stack(member& m) noexcept;
// The current task of `m`, with a record that stays where it is until the task is complete: for
// whoever keeps a reference to it, as its children do. Whoever has taken m.current before has to
// take it again.
inline task& lasting_task(member& m) noexcept
{
    if (m.current->on_stack) [[unlikely]] {
        leave_stack(m);
    }
    return *m.current;
}

// Whether members are left for whoever finds the team's ticket, which may be with another worker:
// who waits for them had better let its own look for it.
inline bool has_unclaimed(const team& t) noexcept
{
    // relaxed: a look.
    return t.claims != nullptr && t.claims->load(std::memory_order_relaxed) < t.size;
}

// How long a waiting member spins on its own before its worker looks for other work; in
// base::cycles().
std::uint64_t member_spin() noexcept;

// Sets it, as far as the machine's load allows; UINT64_MAX: for ever. Any thread.
void set_member_spin(std::uint64_t microseconds) noexcept;

// Counts the forks that this process descends from since the library was loaded.
std::uint64_t fork_generation() noexcept;

}  // namespace artel::openmp
