// Choosing the kind of team that a region gets, and setting up what its members inherit.
#include "parallel.hpp"

#include "base/fp_control.hpp"
#include "base/os/yield.hpp"
#include "base/thread_end.hpp"
#include "binding.hpp"
#include "blas/blas.hpp"
#include "fiber/fiber.hpp"
#include "hot_team.hpp"
#include "league.hpp"
#include "light_region.hpp"
#include "linking/messages.hpp"
#include "member_places.hpp"
#include "nested_team.hpp"
#include "sched/program_regions.hpp"
#include "settings/team_sizes.hpp"
#include "tasking/tasks.hpp"
#include "team/root.hpp"
#include "team_size.hpp"
#include "told_region.hpp"
#include "worksharing/construct.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <pthread.h>
#include <utility>

namespace artel::openmp {
namespace {

constexpr unsigned smallest_capacity = 4;

[[noreturn]] void out_of_memory() noexcept
{
    give_up("Out of memory allocating a team");
}

// The hot team of a root, enlarged if necessary.
hot_team& hot_team_for(root& r, unsigned size)
{
    if (r.hot != nullptr && r.hot->crew_generation != fork_generation()) {
        // Its members, and the workers and locks that it refers to, exist in the parent only, so it
        // is not freed.
        r.hot = nullptr;
    }
    if (r.hot == nullptr || r.hot->capacity() < size) {
        if (r.hot != nullptr) {
            r.hot->disband();
            delete r.hot;
            r.hot = nullptr;
        }
        r.hot = new hot_team(std::max(smallest_capacity, std::bit_ceil(size)));
    }
    return *r.hot;
}

}  // namespace

void describe_team(team& t, member& master, unsigned size)
{
    team& outer = *master.in;
    set_if_changed(t.size, size);
    // relaxed, both: see tasks_queued.
    if (t.tasking.members.load(std::memory_order_relaxed) != size) {
        t.tasking.members.store(size, std::memory_order_relaxed);
    }
    set_if_changed(t.level, outer.level + 1);
    set_if_changed(t.active_level, outer.active_level + (size > 1 ? 1 : 0));
    set_if_changed(t.parent, &outer);
    set_if_changed(t.parent_number, master.number);
    set_if_changed(t.fp_control, base::fp_control());
    // GOMP_parallel_reductions sets it.
    set_if_changed<taskgroup*>(t.tasking.region_group, nullptr);
    if (globals().cancellation) [[unlikely]] {
        t.cancellable += t.cancellable != UINT32_MAX ? 1 : 2;  // never 0
    }
    begin_region(t);
}

void start_member(team& t, member& m, const icv_set& icvs)
{
    m.implicit.icvs = icvs;
    m.implicit.group = t.tasking.region_group;
    m.implicit.parent = nullptr;
    // relaxed: nobody else knows this task yet.
    m.implicit.counts.store(0, std::memory_order_relaxed);
    m.current = &m.implicit;
    m.in = &t;
    enter_region(m);
    if (t.shows_affinity) [[unlikely]] {
        display_affinity(m);
    }
}

void parallel_begin(region_function function, void* data, unsigned threads, team_setup setup,
                    void* setup_argument, unsigned flags)
{
    member& master = this_member();
    unsigned size = team_size_for(master, threads);
    if (master.gang != 0) [[unlikely]] {
        size = size_for_gang(master, function, data, threads, size);
    }
    if (size > largest_team) [[unlikely]] {
        give_up("Thread creation failed: a team of {} threads is asked for, the largest has {}",
                size, largest_team);
    }
    unsigned counted = 0;
    if (const unsigned limit = master.current->icvs.thread_limit; limit != no_thread_limit)
        [[unlikely]] {
        counted = count_threads(master, threads, size, limit);
        size = counted + 1;
    }
    const int policy = bind_policy_of_region(master.current->icvs.bind,
                                             static_cast<int>(flags & 7));
    icv_set icvs = icvs_of_region(master.current->icvs, master.in->level + 1, size, policy);
    if (const unsigned list = flags >> sizes_shift; list != 0) [[unlikely]] {
        icvs.sizes = static_cast<std::uint16_t>(list);
        icvs.nthreads = size_at(icvs.sizes, master.in->level + 1);
        icvs.nthreads_by_default = false;
    }
    sched::worker* const w = sched::crew::get().enter();
    root* const at = root_of(master);
    const bool hot = size > 1 && at != nullptr && at->type != root::kind::native && w != nullptr;
    if (w == nullptr && size > 1) {
        give_up("Thread creation failed: more than {} threads use the crew at a time",
                sched::max_workers);
    }
    try {
        if (at != nullptr) {
            sched::enter_region(at->outermost);
        }
        team* t = nullptr;
        if (hot) {
            hot_team& h = hot_team_for(*at, size);
            h.settle();
            if (at->type == root::kind::league) [[unlikely]] {
                spread_in_league(*at, h.members, size);
            }
            t = &h;
        } else {
            t = nested_team::take_spare(master, size);
        }
        describe_team(*t, master, size);
        set_if_changed(t->shares_fp_control, (flags & shared_fp_control) != 0);
        set_if_changed(t->counted, counted);
        if (setup != nullptr) {
            setup(*t, setup_argument);
        }
        member& self = t->members[0];
        self.outer = &master;
        if (globals().minds_places) [[unlikely]] {
            place_members(*t, master, policy);
        }
        if (hot) {
            static_cast<hot_team*>(t)->start(size, icvs, function, data);
        } else {
            static_cast<nested_team*>(t)->start(size, icvs, function, data);
        }
        start_member(*t, self, icvs);
        fiber::this_tls().local = &self;
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
}

void parallel_end()
{
    member& self = this_member();
    team& t = *self.in;
    member& master = *self.outer;
    const unsigned counted = t.counted;
    const bool shares_fp_control = t.shares_fp_control;
    const std::uint64_t fp_control = t.fp_control;
    const bool whole = t.crew_generation == fork_generation();
    if (whole) {
        end_part(self);
        if (t.hot) {
            static_cast<hot_team&>(t).join();
            fiber::this_tls().local = &master;
        } else {
            auto& nested = static_cast<nested_team&>(t);
            nested.join();
            fiber::this_tls().local = &master;
            nested_team::keep_spare(master, &nested);
        }
    } else {
        // The child of a fork in the region: the other members do not exist here.
        fiber::this_tls().local = &master;
    }
    // Only now: until all members have come, this one runs tasks, and these may change it.
    if (shares_fp_control) {
        base::set_fp_control(fp_control);
    }
    if (counted != 0) [[unlikely]] {
        // relaxed: as in count_threads.
        contention_group(*master.in)
            .group_threads.fetch_sub(counted & ~frees_initial, std::memory_order_relaxed);
        if ((counted & frees_initial) != 0) {
            free_initial();
        }
    }
    // In a child of fork() the thread is a new guest, which has not entered a scope.
    if (root* const at = root_of(master); at != nullptr && at->outermost && whole) {
        sched::leave_region();
    }
}

void parallel(region_function function, void* data, unsigned threads, team_setup setup,
              void* setup_argument, unsigned flags)
{
    if (const member& m = this_member(); wants_persona(m)) [[unlikely]] {
        by_persona(m, [=] { parallel(function, data, threads, setup, setup_argument, flags); });
        return;
    }
    parallel_begin(function, data, threads, setup, setup_argument, flags);
    base::call_program([&] { function(data); });
    parallel_end();
}

bool end_threads() noexcept
{
    member& m = this_member();
    if (m.in->level != 0) {
        return false;
    }
    if (m.in->parent != nullptr) {
        // A target region keeps no threads; a league's teams give theirs back with their roots.
        return true;
    }
    root& r = *root_of(m);
    if (sched::crew::get().enter() != nullptr) {
        foreign::retirement end;
        if (r.hot != nullptr && r.hot->crew_generation == fork_generation()) {
            r.hot->disband(&end);
            delete r.hot;
            r.hot = nullptr;
        }
        end_spare_contexts(end);
        end.finish();
    }
    foreign::end_idle_personas();
    return true;
}

}  // namespace artel::openmp
