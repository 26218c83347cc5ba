// Teams and their members. A member is one thread of a team: it runs on a persona (number >= 1) or
// on the context that met the parallel construct (number 0). Only the code that runs as a member
// touches its fields, unless they are marked shared.
//
// Three kinds of teams: hot ones, kept by an external thread between its regions, so that member i
// is always the same persona (hot_team.cpp); nested ones, whose members are started by workers that
// are idle (nested_team.cpp); and teams of one, which are nested teams without members to start.
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
    // the running task, whose ICVs are in force; never nullptr while the member runs.
    task* current = nullptr;
    member* outer = nullptr;  // number 0 only: the member that the context was before this region
    nested_team* spare = nullptr;  // a nested team to use again
    place_position where;          // in a team of several: set by the master before the region
    // of the last team that this thread met and that displayed its affinity (member_places.cpp).
    struct {
        std::uint16_t size = 0, level = 0;
    } displayed;
    // hot teams: the worker that should carry the member, as far as places decide that.
    sched::worker* home = nullptr;
    std::uint64_t gate_seen = 0;  // hot teams: the region that this member took part in last
    implicit_task implicit;       // this member's implicit task
    // progress through the team's worksharing constructs (worksharing_state.hpp).
    worksharing_position position;
    task_allocator task_memory;         // free task records
    taskgroup* spare_groups = nullptr;  // free groups, linked by `outer`
    struct {
        unsigned threads = 0;  // for the next region; 0: nthreads-var
        unsigned bind = 0;     // for the next region, as parallel()'s flags; 0: bind-var
        unsigned teams = 0;    // for the next league, and the threads of each
        unsigned team_threads = 0;
    } pushed;  // set by calls before the construct (abi/kmp/fork.cpp)
    // threads promised to an OpenBLAS call inside a region, for its own regions (blas.hpp).
    unsigned gang = 0;
    bool reduces_alone = false;  // between the two calls of a reduction (abi/kmp/reduce.cpp)
    attendance met;              // shared: barriers reached, in regions that can be cancelled
    // shared: queued explicit tasks of this member; others of the team steal them.
    task_deque tasks{64};
    task_watch watch;        // the monitor's, of these tasks
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
    bool shows_affinity = false;  // OMP_DISPLAY_AFFINITY: members print their affinity
    // Members begin every region with the floating-point control of the thread that met it, which
    // gets its own back at the end: libomp's way. Otherwise only those that join the team do.
    bool shares_fp_control = false;
    std::uint64_t fp_control = 0;  // of the thread that met the region (base/fp_control.hpp)
    // How many threads this region has added to its limited contention group; member_places.cpp
    // adds the bit frees_initial.
    unsigned counted = 0;
    // The number of this region if it can be cancelled; else 0.
    std::uint32_t cancellable = 0;
    // fork_generation() when the team was made: the child of a fork has none of its members.
    std::uint64_t crew_generation = 0;

    // shared from here on
    team_barrier barrier;
    // arrivals at the end of the region; cancellation must not disturb it.
    arrival_counter ending;
    worksharing_state worksharing;  // team/worksharing_state.hpp
    task_state tasking;             // task_state.hpp
    // teams whose members are claimed one by one (nested_team.hpp): the first unclaimed member.
    const std::atomic<unsigned>* claims = nullptr;
    // copyprivate of the kmp interface: between two barriers, the variables of the member that
    // executed the single.
    void* broadcast = nullptr;
    std::atomic<bool> cancelled{false};  // cancel parallel
    // the team of an initial thread: number of threads in its contention group, as far as counted.
    std::atomic<unsigned> group_threads{1};
    ompt::team_record tool;

    team() = default;
    team(const team&) = delete;
    team& operator=(const team&) = delete;

    // The number of groups in which arrivals of a team of this size are counted.
    static unsigned groups_of(unsigned size) noexcept;
    // Prepares for up to `most` members, before anybody uses the team. Setting the team up for a
    // region then allocates nothing, and moves nothing that a late member of the last region may
    // still use. Throws std::bad_alloc.
    void reserve(unsigned most);
};

// The member that the caller runs as. An OS thread (or native light thread) outside any region is
// member 0 of a team of one, which its first call makes. Never nullptr. Valid until the region
// ends.
member& first_member() noexcept;  // the rare path: a first call
inline member& this_member() noexcept
{
    void* const known = fiber::this_tls().local;
    if (known == nullptr) [[unlikely]] {
        return first_member();
    }
    return *static_cast<member*>(known);
}

// The rare path of lasting_task() (tasking/task_creation.cpp).
[[gnu::cold]] void leave_stack(member& m) noexcept;
// The current task of `m`, with a record that stays in place until the task is complete: for code
// that keeps a reference to it, such as its children. Copies of m.current taken before are stale
// afterwards.
inline task& lasting_task(member& m) noexcept
{
    if (m.current->on_stack) [[unlikely]] {
        leave_stack(m);
    }
    return *m.current;
}

// Whether the team has members that nobody has claimed yet. Their ticket may be in another worker's
// deque, so a member that waits suspends itself at once, and its worker looks for the ticket.
inline bool has_unclaimed(const team& t) noexcept
{
    // relaxed: an estimate.
    return t.claims != nullptr && t.claims->load(std::memory_order_relaxed) < t.size;
}

// How long a waiting member spins before its worker looks for other work, in base::cycles().
std::uint64_t member_spin() noexcept;

// Sets member_spin(), with more workers than CPUs to no more than the default. UINT64_MAX: for
// ever. Any thread.
void set_member_spin(std::uint64_t microseconds) noexcept;

// The number of forks between the process that loaded the library and this one.
std::uint64_t fork_generation() noexcept;

}  // namespace artel::openmp
