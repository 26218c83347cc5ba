// A league is a nested team (nested_team.hpp) whose members are not the threads of a region: each
// runs as the initial thread of a team, in a root (root.hpp) that it takes from a list and gives
// back afterwards. The root keeps its hot team, so members of regions inside of teams need not be
// made anew. Rejected: running the teams one after the other on the thread that met the construct,
// as libgomp does. It costs nanoseconds where this costs a microsecond, but a league of teams
// without regions then uses one CPU.
#include "league.hpp"

#include "binding.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/persona_pool.hpp"
#include "foreign/race_detector.hpp"
#include "hot_team.hpp"
#include "linking/messages.hpp"
#include "nested_team.hpp"
#include "sched/program_regions.hpp"
#include "tasking/task_wait.hpp"
#include "team/root.hpp"
#include "told_region.hpp"
#include "worksharing/construct.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace artel::openmp {
namespace {

// Free roots, linked by next, no more than the crew is wide. Both guarded by the lock.
foreign::fork_safe_lock cached_roots_lock;
root* cached_roots = nullptr;
unsigned cached_root_count = 0;

root& take_context(member& outside, sched::worker* at_first_team)
{
    root* r = nullptr;
    {
        const std::scoped_lock hold(cached_roots_lock);
        if (cached_roots != nullptr) {
            r = std::exchange(cached_roots, cached_roots->next);
            --cached_root_count;
        }
    }
    if (r == nullptr) {
        r = new root(root::kind::league);
    }
    team& alone = r->alone;
    alone.parent = outside.in;
    alone.parent_number = outside.number;
    alone.level = outside.in->level;
    alone.active_level = outside.in->active_level;
    r->initial.outer = &outside;
    r->initial.current = &r->initial.implicit;
    r->initial.pushed = {};
    r->in_league = true;
    r->league.at_first_team = at_first_team;
    begin_region(alone);
    enter_region(r->initial);
    return *r;
}

void discard(root* r) noexcept
{
    if (r->hot != nullptr) {
        r->hot->disband();
        delete r->hot;
    }
    delete r;
}

void give_back(root& r) noexcept
{
    if (r.alone.crew_generation != fork_generation()) {
        return;  // the child of a fork in a league: the threads of the root do not exist here
    }
    await_external_task_ends(r.alone);
    {
        const std::scoped_lock hold(cached_roots_lock);
        if (cached_root_count < sched::crew::get().width()) {
            r.next = std::exchange(cached_roots, &r);
            ++cached_root_count;
            return;
        }
    }
    discard(&r);
}

struct league {
    const league_of& what;
    member& master;
    sched::worker* at_first_team;
    const place_position where;
    ompt::league* const told;
    std::atomic<unsigned> left;  // the first team that has not been started
    // Addresses for the race detector.
    char master_has_begun = 0;
    char teams_have_ended = 0;

    // Runs team `number` with `m` as its initial thread.
    void run_team(member& m, unsigned number)
    {
        m.current->icvs = what.icvs;
        m.current->icvs.team_number = number;
        if (globals().minds_places) {
            m.displayed = {};  // as the threads of libomp, which have not displayed anything here
            m.where = what.bind_policy != 0
                          ? position_of(number, what.teams, what.bind_policy, where)
                          : where;
        }
        if (told != nullptr) [[unlikely]] {
            told->run_team(m, number, what.function, what.data);
        } else {
            what.function(what.data);
        }
    }

    // Runs team `first`, and then further ones while there are any.
    void run_teams(member& m, unsigned first)
    {
        // relaxed: only a number; what the teams read was published before their threads started.
        for (unsigned i = first; i < what.teams; i = left.fetch_add(1, std::memory_order_relaxed)) {
            run_team(m, i);
        }
    }

    // Runs teams in a context of its own. OMPT has no event at which all teams begin and none that
    // waits for their ends, so the race detector is told of both here.
    void run_apart(unsigned first)
    {
        foreign::tell_after(&master_has_begun);
        void* const before = fiber::this_tls().local;
        root& r = take_context(master, at_first_team);
        fiber::this_tls().local = &r.initial;
        run_teams(r.initial, first);
        complete_own_tasks(r.initial);
        fiber::this_tls().local = before;
        give_back(r);
        foreign::tell_before(&teams_have_ended);
    }
};

// The part of a member of the nested team other than the master.
void take_part(void* argument)
{
    static_cast<league*>(argument)->run_apart(this_member().number);
}

// Runs on the thread that met the construct. If that is the initial thread of a team of one, it
// stays in its own root.
void run_first(league& all)
{
    root* const r = root_of(all.master);
    if (r == nullptr) {
        all.run_apart(0);
        return;
    }
    icv_set& icvs = lasting_task(all.master).icvs;
    const icv_set before = icvs;
    const bool nested = std::exchange(r->in_league, all.what.teams > 1);
    all.run_teams(all.master, 0);
    r->in_league = nested;
    all.master.where = all.where;
    icvs = before;
}

}  // namespace

void run_league(member& m, const league_of& what, const ompt::caller* told_to)
{
    std::optional<ompt::league> told;
    if (told_to != nullptr) [[unlikely]] {
        told.emplace(m, what.teams, *told_to);
    }
    league all{what, m, nullptr, m.where, told.has_value() ? &*told : nullptr, what.teams};
    if (what.teams == 1) {
        run_first(all);
        return;
    }
    bool outermost = false;
    all.at_first_team = sched::enter_region(outermost);
    // The crew has no room for this thread: the teams run one after the other.
    if (all.at_first_team == nullptr) {
        all.left.store(1, std::memory_order_relaxed);  // relaxed: nobody else knows it
        run_first(all);
        return;
    }
    const unsigned threads = std::min(what.teams, std::max(sched::crew::get().width(), 2u));
    all.left.store(threads, std::memory_order_relaxed);  // relaxed: published by the start
    nested_team* t = nullptr;
    try {
        t = nested_team::take_spare(m, threads);
        describe_team(*t, m, threads);
        t->counted = 0;
        t->shows_affinity = false;
        t->shares_fp_control = false;
        foreign::tell_before(&all.master_has_begun);
        t->start(threads, what.icvs, take_part, &all);
        sched::crew::get().start_monitor();
        run_first(all);
    } catch (const std::bad_alloc&) {
        give_up("Out of memory allocating a team");
    }
    // Not in the child of a fork in a team, where the other members do not exist.
    if (t->crew_generation == fork_generation()) {
        t->join();
        foreign::tell_after(&all.teams_have_ended);
        nested_team::keep_spare(m, t);
        if (outermost) {
            sched::leave_region();
        }
    }
}

bool beside_other_teams(const member& m) noexcept
{
    const root* const r = root_of(m);
    return r != nullptr && r->in_league;
}

void spread_in_league(root& r, member* members, unsigned size) noexcept
{
    sched::worker* const own = sched::this_worker();
    auto& known = r.league;
    if (r.alone.crew_generation != fork_generation()) {
        known.at_first_team = nullptr;  // a worker of the parent's crew
    }
    if (known.own == own && known.first == known.at_first_team && known.members == members &&
        known.size == size) {
        return;
    }
    known.own = own;
    known.first = known.at_first_team;
    known.members = members;
    known.size = size;
    // The candidates form a circle: the worker of the first team, then the crew's own. Neighbouring
    // members share a worker, beginning at the master's.
    sched::crew& crew = sched::crew::get();
    const unsigned width = crew.width();
    const auto at = [&](unsigned i) {
        return i == 0 && known.first != nullptr ? known.first : crew.own_worker(i != 0 ? i - 1 : 0);
    };
    unsigned start = 0;
    while (start < width && at(start) != own) {
        ++start;
    }
    const unsigned used = std::min(width, size);
    for (unsigned i = 1; i < size; ++i) {
        members[i].home = at((start + i * used / size) % width);
    }
}

void end_spare_contexts(foreign::retirement& end) noexcept
{
    root* list = nullptr;
    {
        const std::scoped_lock hold(cached_roots_lock);
        list = std::exchange(cached_roots, nullptr);
        cached_root_count = 0;
    }
    while (list != nullptr) {
        root* const r = std::exchange(list, list->next);
        if (r->hot != nullptr) {
            r->hot->disband(&end);
            delete std::exchange(r->hot, nullptr);
        }
        delete r;
    }
}

void reset_leagues_after_fork() noexcept
{
    cached_roots = nullptr;
    cached_root_count = 0;
}

}  // namespace artel::openmp
