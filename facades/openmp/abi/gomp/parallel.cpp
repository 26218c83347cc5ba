// GOMP_parallel*, including combined constructs, whose loop or sections construct is opened before
// the members start; and teams on the host.
#include "abi/abi.hpp"
#include "loop.hpp"
#include "ompt/entries/work.hpp"
#include "region_flags.hpp"
#include "regions/league.hpp"
#include "settings/settings.hpp"

namespace artel::openmp {

namespace {

struct combined_loop {
    loop_bounds bounds;
    loop_schedule schedule;
};

void open_loop(team& t, void* argument)
{
    const auto& loop = *static_cast<const combined_loop*>(argument);
    preopen_loop(t, loop.bounds, loop.schedule, false);
}

void open_sections(team& t, void* argument)
{
    preopen_sections(t, *static_cast<const unsigned*>(argument));
}

ompt::work_kind told_kind(const combined_loop& loop) noexcept
{
    return ompt::work_of(loop.schedule.kind);
}

}  // namespace

ARTEL_GOMP void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags)
{
    ARTEL_OMPT_EITHER(
        tell_parallel(who, function, data, threads, nullptr, nullptr, bind_clause(flags)),
        parallel(function, data, threads, nullptr, nullptr, bind_clause(flags)));
}

ARTEL_GOMP void GOMP_parallel_start(void (*function)(void*), void* data, unsigned threads)
{
    ARTEL_OMPT_EITHER(tell_parallel_begin(who, function, data, threads, nullptr, nullptr, 0),
                      parallel_begin(function, data, threads));
}

ARTEL_GOMP void GOMP_parallel_end()
{
    ompt::end_region(ARTEL_OMPT_CALLER);
}

// The _start forms are called by compilers before gcc 4.9: the caller runs the function itself,
// then calls GOMP_parallel_end.
#define ARTEL_PARALLEL_LOOP(name, kind)                                                        \
    ARTEL_GOMP void GOMP_parallel_loop_##name(void (*function)(void*), void* data,             \
                                              unsigned threads, long first, long end, long by, \
                                              long chunk, unsigned flags)                      \
    {                                                                                          \
        combined_loop loop{bounds(first, end, by), schedule_of(kind, chunk)};                  \
        ARTEL_OMPT_EITHER(                                                                     \
            tell_parallel(who, function, data, threads, open_loop, &loop, bind_clause(flags),  \
                          told_kind(loop), loop.bounds.count),                                 \
            parallel(function, data, threads, open_loop, &loop, bind_clause(flags)));          \
    }
#define ARTEL_PARALLEL_LOOP_START(name, kind)                                                  \
    ARTEL_GOMP void GOMP_parallel_loop_##name##_start(void (*function)(void*), void* data,     \
                                                      unsigned threads, long first, long end,  \
                                                      long by, long chunk)                     \
    {                                                                                          \
        combined_loop loop{bounds(first, end, by), schedule_of(kind, chunk)};                  \
        ARTEL_OMPT_TELL(tell_parallel_begin(who, function, data, threads, open_loop, &loop, 0, \
                                            told_kind(loop), loop.bounds.count));              \
        parallel_begin(function, data, threads, open_loop, &loop);                             \
    }
#define ARTEL_PARALLEL_LOOP_RUNTIME(name)                                                      \
    ARTEL_GOMP void GOMP_parallel_loop_##name(void (*function)(void*), void* data,             \
                                              unsigned threads, long first, long end, long by, \
                                              unsigned flags)                                  \
    {                                                                                          \
        combined_loop loop{bounds(first, end, by), runtime_schedule(this_member())};           \
        ARTEL_OMPT_EITHER(                                                                     \
            tell_parallel(who, function, data, threads, open_loop, &loop, bind_clause(flags),  \
                          told_kind(loop), loop.bounds.count),                                 \
            parallel(function, data, threads, open_loop, &loop, bind_clause(flags)));          \
    }

ARTEL_PARALLEL_LOOP(static, schedule_kind::static_)
ARTEL_PARALLEL_LOOP(dynamic, schedule_kind::dynamic)
ARTEL_PARALLEL_LOOP(guided, schedule_kind::guided)
ARTEL_PARALLEL_LOOP(nonmonotonic_dynamic, schedule_kind::dynamic)
ARTEL_PARALLEL_LOOP(nonmonotonic_guided, schedule_kind::guided)
ARTEL_PARALLEL_LOOP_START(static, schedule_kind::static_)
ARTEL_PARALLEL_LOOP_START(dynamic, schedule_kind::dynamic)
ARTEL_PARALLEL_LOOP_START(guided, schedule_kind::guided)
ARTEL_PARALLEL_LOOP_RUNTIME(runtime)
ARTEL_PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime)
ARTEL_PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime)

ARTEL_GOMP void GOMP_parallel_loop_runtime_start(void (*function)(void*), void* data,
                                                 unsigned threads, long first, long end, long by)
{
    combined_loop loop{bounds(first, end, by), runtime_schedule(this_member())};
    ARTEL_OMPT_TELL(tell_parallel_begin(who, function, data, threads, open_loop, &loop, 0,
                                        told_kind(loop), loop.bounds.count));
    parallel_begin(function, data, threads, open_loop, &loop);
}

ARTEL_GOMP void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads,
                                       unsigned count, unsigned flags)
{
    ARTEL_OMPT_EITHER(tell_parallel(who, function, data, threads, open_sections, &count,
                                    bind_clause(flags), work_kind::sections, count),
                      parallel(function, data, threads, open_sections, &count, bind_clause(flags)));
}

ARTEL_GOMP void GOMP_parallel_sections_start(void (*function)(void*), void* data, unsigned threads,
                                             unsigned count)
{
    ARTEL_OMPT_EITHER(tell_parallel_begin(who, function, data, threads, open_sections, &count, 0,
                                          work_kind::sections, count),
                      parallel_begin(function, data, threads, open_sections, &count));
}

// Teams on the host. Regions in a team are as large as outside, as under libgomp, where teams run
// one after the other.
ARTEL_GOMP void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams,
                               unsigned thread_limit, unsigned /*flags*/)
{
    member& m = this_member();
    // relaxed, both: only numbers.
    if (thread_limit == 0) {
        thread_limit = device_settings().teams_thread_limit.load(std::memory_order_relaxed);
    }
    if (teams == 0) {
        teams = device_settings().num_teams.load(std::memory_order_relaxed);
    }
    if (teams == 0) {
        teams = 3;  // as libgomp: more than one, which exposes programs that rely on one
    }
    league_of what{teams, m.current->icvs, 0, function, data};
    if (thread_limit != 0) {
        what.icvs.thread_limit = thread_limit;
    }
    what.icvs.teams = teams;
    ARTEL_OMPT_TELL(run_league(m, what, &who));
    run_league(m, what);
}

}  // namespace artel::openmp
