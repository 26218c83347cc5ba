// The events of a region: parallel_begin; in every member implicit_task begins, the program's
// function runs, a barrier begins, which ends when all members have arrived, and implicit_task
// ends; parallel_end. As in LLVM's runtime, the ends after the barrier no longer name the region.
#include "told_region.hpp"

#include "base/os/yield.hpp"
#include "foreign/persona_pool.hpp"
#include "light_region.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"
#include "tasking/task_wait.hpp"
#include "team/root.hpp"

#include <utility>

namespace artel::openmp::ompt {
namespace {

task_record& open_record(task& t, task_record& r, int flags) noexcept
{
    r = {};
    r.flags = flags;
    t.tool = &r;
    return r;
}

void begin_implicit(member& m) noexcept
{
    begin_thread(thread_kind::worker);
    task_record& r = open_record(
        m.implicit, m.tool, task_flag::implicit | (m.in->size == 1 ? task_flag::undeferred : 0));
    tell<event::implicit_task>(endpoint::begin, &m.in->tool.parallel_data, &r.task_data, m.in->size,
                               m.number, task_flag::implicit);
    if (const team_record& of = m.in->tool; of.combined != work_kind{}) {
        r.shares = of.combined;
        tell<event::work>(of.combined, endpoint::begin, &m.in->tool.parallel_data, &r.task_data,
                          of.count, of.code);
    }
}

// Runs the member's part, with this frame as the one from which the program is called.
[[gnu::noinline]] void call_program(task_record& r, region_function function, void* data) noexcept
{
    r.where.exit.pointer = __builtin_frame_address(0);
    r.where.exit_flags = frame_flag::runtime | frame_flag::frame_pointer;
    function(data);
    r.where.exit.pointer = nullptr;
}

// Whether the end of the team's region is told as a barrier: not in a team of one, as in LLVM's
// runtime.
bool has_barrier(const team& t) noexcept
{
    return t.size > 1;
}

// Ends the member's part: all members meet, and the tool is told when they have.
void end_implicit(member& m, const void* code) noexcept
{
    const sync_kind kind = sync_kind::barrier_implicit_parallel;
    data* const task = &m.tool.task_data;
    data* const none = nullptr;
    const unsigned size = m.in->size;
    this_thread().doing = state::wait_barrier_implicit_parallel;
    if (has_barrier(*m.in)) {
        data* const parallel = &m.in->tool.parallel_data;
        tell<event::sync_region>(kind, endpoint::begin, parallel, task, code);
        tell<event::sync_region_wait>(kind, endpoint::begin, parallel, task, code);
        // team::ending does not tell members when all have arrived.
        barrier_cancel(m);
        tell<event::sync_region_wait>(kind, endpoint::end, none, task, code);
        tell<event::sync_region>(kind, endpoint::end, none, task, code);
    } else {
        complete_own_tasks(m);
    }
    tell<event::implicit_task>(endpoint::end, none, task, size, m.number, task_flag::implicit);
    this_thread().doing = state::idle;
}

// The argument of the setup that parallel_begin() calls when the team is known and no member has
// started.
struct opening {
    const caller* who;
    team_setup setup;
    void* argument;
    unsigned requested;
    work_kind combined;
    std::uint64_t count;
};

void tell_opening(team& t, void* argument)
{
    const auto& o = *static_cast<const opening*>(argument);
    t.tool.told = true;
    t.tool.parallel_data = {};
    t.tool.flags = parallel_flag::team | parallel_flag::invoker_runtime;
    t.tool.combined = o.combined;
    t.tool.count = o.count;
    t.tool.code = o.who->code;
    task& encountering = *this_member().current;
    tell<event::parallel_begin>(&encountering.tool->task_data, &encountering.tool->where,
                                &t.tool.parallel_data, o.requested, static_cast<int>(t.tool.flags),
                                o.who->code);
    if (o.setup != nullptr) {
        o.setup(t, o.argument);
    }
}

// As what the tool learns to know the OS thread or persona on which the initial task of `of` runs.
thread_kind kind_for(const root& of) noexcept
{
    const sched::worker* const w = sched::this_worker();
    const bool is_the_programs = w == nullptr || (w->kind == sched::role::guest &&
                                                  w->current->type != fiber::kind::persona);
    return of.type != root::kind::native || is_the_programs ? thread_kind::initial
                                                            : thread_kind::worker;
}

unsigned requested_size(const member& m, unsigned threads) noexcept
{
    return threads != 0 ? threads : m.current->icvs.nthreads;
}

}  // namespace

void initial_thread_begins(member& initial) noexcept
{
    if (attached()) {
        tell_initial_thread(initial);
    }
}

void tell_initial_thread(member& initial) noexcept
{
    root& of = *root_of(initial);
    if (of.told) {
        return;
    }
    of.told = true;
    // The OS thread or persona that a light thread begins on may go on with another one: its end is
    // told when it ends itself, or when its own root does.
    of.begun_thread = of.type == root::kind::thread ||
                      (of.type == root::kind::league && !this_thread().known);
    begin_thread(kind_for(of));
    task_record& r = open_record(initial.implicit, initial.tool, task_flag::initial);
    initial.in->tool.parallel_data = {};
    tell<event::implicit_task>(endpoint::begin, &initial.in->tool.parallel_data, &r.task_data, 1u,
                               1u, r.flags);
}

void initial_thread_ends(member& initial) noexcept
{
    const root& of = *root_of(initial);
    if (!of.told) {
        return;
    }
    if (of.type == root::kind::native) {
        begin_thread(kind_for(of));  // a light thread may end on another OS thread
    }
    data* const none = nullptr;
    tell<event::implicit_task>(endpoint::end, none, &initial.tool.task_data, 0u, 1u,
                               initial.tool.flags);
    if (of.begun_thread) {
        end_thread();
    }
}

void end_everything() noexcept
{
    auto* const m = static_cast<member*>(fiber::this_tls().local);
    const bool initial = m != nullptr && m->in->level == 0 && m->in->parent == nullptr;
    if (m != nullptr && !initial) {
        return;  // the program ends in the middle of a region
    }
    // Members that have ended their part may not be back in the pool yet. Those of other threads'
    // teams stay.
    for (unsigned i = 0; i < 100 && known_workers() > 0; ++i) {
        if (initial) {
            end_threads();
        } else {
            foreign::end_idle_personas();
        }
        if (known_workers() > 0 && !sched::yield()) {
            base::os::yield();
        }
    }
    if (initial && this_thread().known) {
        initial_thread_ends(*m);
    }
}

void tell_parallel_begin(caller who, region_function function, void* data, unsigned threads,
                         team_setup setup, void* setup_argument, unsigned bind_flags,
                         work_kind combined, std::uint64_t count)
{
    member& master = this_member();
    task_record& outer = *master.current->tool;
    outer.where.enter.pointer = who.frame;
    outer.where.enter_flags = frame_flag::runtime | frame_flag::frame_pointer;
    opening o{&who, setup, setup_argument, requested_size(master, threads), combined, count};
    parallel_begin(function, data, threads, tell_opening, &o, bind_flags);
    member& self = this_member();
    begin_implicit(self);
    // If the program runs the body itself, this is the nearest frame of ours.
    self.tool.where.exit.pointer = who.frame;
    self.tool.where.exit_flags = frame_flag::runtime | frame_flag::frame_pointer;
    this_thread().doing = state::work_parallel;
}

void tell_parallel_end(caller who)
{
    member& self = this_member();
    team& t = *self.in;
    member& master = *self.outer;
    self.tool.where.exit.pointer = nullptr;
    end_implicit(self, who.code);
    parallel_end();
    t.tool.told = false;
    task_record& outer = *master.current->tool;
    this_thread().doing = master.in->active_level > 0 ? state::work_parallel : state::work_serial;
    tell<event::parallel_end>(&t.tool.parallel_data, &outer.task_data,
                              static_cast<int>(t.tool.flags), who.code);
    outer.where.enter.pointer = nullptr;
}

void tell_parallel(caller who, region_function function, void* data, unsigned threads,
                   team_setup setup, void* setup_argument, unsigned bind_flags, work_kind combined,
                   std::uint64_t count)
{
    if (const member& m = this_member(); wants_persona(m)) {
        by_persona(m, [=] {
            // The tool may have left before it could be told of the new initial thread.
            if (!root_of(this_member())->told) {
                parallel(function, data, threads, setup, setup_argument, bind_flags);
                return;
            }
            tell_parallel(who, function, data, threads, setup, setup_argument, bind_flags, combined,
                          count);
        });
        return;
    }
    tell_parallel_begin(who, function, data, threads, setup, setup_argument, bind_flags, combined,
                        count);
    call_program(this_member().tool, function, data);
    tell_parallel_end(who);
}

void run_member(member& m, region_function function, void* data) noexcept
{
    begin_implicit(m);
    this_thread().doing = state::work_parallel;
    call_program(m.tool, function, data);
    end_implicit(m, nullptr);
}

league::league(member& m, unsigned teams, caller who) noexcept
    : who_(who), teams_(teams), outer_(*m.current->tool)
{
    outer_.where.enter.pointer = who.frame;
    outer_.where.enter_flags = frame_flag::runtime | frame_flag::frame_pointer;
    tell<event::parallel_begin>(
        &outer_.task_data, &outer_.where, &league_data_, teams,
        static_cast<int>(parallel_flag::league | parallel_flag::invoker_runtime), who.code);
}

league::~league()
{
    tell<event::parallel_end>(
        &league_data_, &outer_.task_data,
        static_cast<int>(parallel_flag::league | parallel_flag::invoker_runtime), who_.code);
    outer_.where.enter.pointer = nullptr;
}

void league::run_team(member& m, unsigned number, region_function function, void* data) noexcept
{
    begin_thread(thread_kind::worker);  // no effect on threads that the tool knows
    constexpr int flags = static_cast<int>(parallel_flag::team | parallel_flag::invoker_runtime);
    ompt::data* const none = nullptr;
    ompt::data& parallel = m.in->tool.parallel_data;
    const ompt::data parallel_before = parallel;
    task_record* const record_before = m.current->tool;
    const state before = std::exchange(this_thread().doing, state::work_serial);

    task_record initial{};
    initial.flags = task_flag::initial;
    // Its region is begun by the runtime, so the frame is one of ours.
    initial.where.enter.pointer = initial.where.exit.pointer = __builtin_frame_address(0);
    initial.where.enter_flags = initial.where.exit_flags = frame_flag::runtime |
                                                           frame_flag::frame_pointer;
    // one copy per team: tools that write there do not expect others to do so at the same time.
    ompt::data of_league = league_data_;
    tell<event::implicit_task>(endpoint::begin, &of_league, &initial.task_data, teams_, number,
                               task_flag::initial);
    task_record implicit{};
    implicit.flags = task_flag::implicit | task_flag::undeferred;
    m.current->tool = &implicit;
    parallel = {};
    tell<event::parallel_begin>(&initial.task_data, &initial.where, &parallel, 1u, flags,
                                who_.code);
    tell<event::implicit_task>(endpoint::begin, &parallel, &implicit.task_data, 1u, 0u,
                               task_flag::implicit);
    call_program(implicit, function, data);
    tell<event::implicit_task>(endpoint::end, none, &implicit.task_data, 1u, 0u,
                               task_flag::implicit);
    tell<event::parallel_end>(&parallel, &initial.task_data, flags, who_.code);
    tell<event::implicit_task>(endpoint::end, none, &initial.task_data, 0u, number,
                               task_flag::initial);

    m.current->tool = record_before;
    parallel = parallel_before;
    this_thread().doing = before;
}

}  // namespace artel::openmp::ompt
