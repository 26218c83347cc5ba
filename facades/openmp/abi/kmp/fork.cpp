// Regions and leagues. The caller's list of pointers is copied to its stack, where the members read
// it until all have ended.
#include "blas/blas.hpp"
#include "invoke.hpp"
#include "linking/messages.hpp"
#include "regions/league.hpp"
#include "regions/told_region.hpp"
#include "settings/settings.hpp"
#include "settings/team_sizes.hpp"

#include <algorithm>
#include <cstdarg>
#include <utility>

namespace artel::openmp::kmp {
namespace {

struct call {
    microtask function;
    std::int32_t count;
    void** arguments;
};

// The function of each member.
void run(void* data)
{
    const call& c = *static_cast<const call*>(data);
    std::int32_t global = global_number();
    auto bound = static_cast<std::int32_t>(this_member().number);
    invoke_microtask(c.function, &global, &bound, c.count, c.arguments);
}

// The same with a tool attached, which is given the frame from which the program is called.
void run_noted(void* data)
{
    const call& c = *static_cast<const call*>(data);
    std::int32_t global = global_number();
    member& m = this_member();
    auto bound = static_cast<std::int32_t>(m.number);
    artel_kmp_invoke_noted(c.function, &global, &bound, c.count, c.arguments,
                           &m.tool.where.exit.pointer);
}

// The program's code behind the function that parallel() is given.
const void* code_of_region(region_function function, const void* data) noexcept
{
    if (function == run || function == run_noted) {
        return reinterpret_cast<const void*>(static_cast<const call*>(data)->function);
    }
    return reinterpret_cast<const void*>(function);
}

[[maybe_unused]] const body_finder found_by_blas = find_body = code_of_region;

// Negative numbers mean "not given", as zero does.
unsigned positive(std::int32_t n) noexcept
{
    return static_cast<unsigned>(std::max(n, 0));
}

// The clauses that were pushed for the region that is met now, as parallel()'s flags.
unsigned take_flags(member& m) noexcept
{
    return std::exchange(m.pushed.bind, 0) |
           (globals().kmp.inherits_fp_control ? shared_fp_control : 0);
}

void push_sizes(std::uint32_t length, const std::int32_t* list)
{
    member& m = this_member();
    m.pushed.threads = length > 0 ? positive(list[0]) : 0;
    if (length > 1) {
        team_sizes sizes{{}, m.in->level};
        for (std::uint32_t i = 0; i < length; ++i) {
            sizes.sizes.push_back(std::max(positive(list[i]), 1u));
        }
        m.pushed.bind = (m.pushed.bind & 7u) | static_cast<unsigned>(remember_sizes(sizes))
                                                   << sizes_shift;
    }
}

// The league that is met now. If no size of regions was set, regions inside a team are as large as
// the crew's width divided by the number of teams, as under libomp.
league_of pushed_league(member& m, call& c)
{
    unsigned teams = std::exchange(m.pushed.teams, 0);
    unsigned threads = std::exchange(m.pushed.team_threads, 0);
    // relaxed, both: only numbers.
    if (threads == 0) {
        threads = device_settings().teams_thread_limit.load(std::memory_order_relaxed);
    }
    if (teams == 0) {
        teams = std::max(device_settings().num_teams.load(std::memory_order_relaxed), 1u);
    }
    const kmp_settings& kmp = globals().kmp;
    if (kmp.teams_limit != 0) {
        teams = std::min(teams, kmp.teams_limit);
    }
    league_of what{teams, m.current->icvs, kmp.teams_bind, run, &c};
    if (threads != 0) {
        what.icvs.thread_limit = threads;
        what.icvs.nthreads = std::min(what.icvs.nthreads, threads);
    } else if (what.icvs.nthreads_by_default) {
        what.icvs.nthreads = std::max(what.icvs.nthreads / teams, 1u);
    }
    what.icvs.teams = teams;
    return what;
}

}  // namespace

// Copies the variable arguments to the caller's own stack.
#define ARTEL_KMP_GATHER(name, count, function)                                                 \
    auto** const name = static_cast<void**>(__builtin_alloca(                                   \
        sizeof(void*) * std::max<std::size_t>(static_cast<std::size_t>(count), in_registers))); \
    {                                                                                           \
        std::va_list list;                                                                      \
        va_start(list, function);                                                               \
        for (std::int32_t i = 0; i < (count); ++i) {                                            \
            (name)[i] = va_arg(list, void*);                                                    \
        }                                                                                       \
        va_end(list);                                                                           \
    }

ARTEL_KMP void __kmpc_fork_call(const ident*, std::int32_t count, microtask function, ...)
{
    ARTEL_KMP_GATHER(arguments, count, function)
    call c{function, count, arguments};
    member& m = this_member();
    const unsigned threads = std::exchange(m.pushed.threads, 0);
    const unsigned flags = take_flags(m);
    ARTEL_OMPT_TELL(tell_parallel(who, run_noted, &c, threads, nullptr, nullptr, flags));
    parallel(run, &c, threads, nullptr, nullptr, flags);
}

ARTEL_KMP void __kmpc_fork_call_if(const ident*, std::int32_t count, microtask function,
                                   std::int32_t condition, void* argument)
{
    void* arguments[in_registers] = {argument};
    call c{function, std::min<std::int32_t>(count, 1), arguments};
    member& m = this_member();
    const unsigned pushed = std::exchange(m.pushed.threads, 0);
    const unsigned threads = condition != 0 ? pushed : 1;
    const unsigned flags = take_flags(m);
    ARTEL_OMPT_TELL(tell_parallel(who, run_noted, &c, threads, nullptr, nullptr, flags));
    parallel(run, &c, threads, nullptr, nullptr, flags);
}

// A region of one member, whose body the caller runs itself.
ARTEL_KMP void __kmpc_serialized_parallel(const ident*, std::int32_t)
{
    member& m = this_member();
    m.pushed.threads = 0;
    const unsigned flags = take_flags(m);
    ARTEL_OMPT_TELL(tell_parallel_begin(who, nullptr, nullptr, 1, nullptr, nullptr, flags));
    parallel_begin(nullptr, nullptr, 1, nullptr, nullptr, flags);
}

ARTEL_KMP void __kmpc_end_serialized_parallel(const ident*, std::int32_t)
{
    ompt::end_region(ARTEL_OMPT_CALLER);
}

ARTEL_KMP void __kmpc_push_num_threads(const ident*, std::int32_t, std::int32_t threads)
{
    this_member().pushed.threads = positive(threads);
}

ARTEL_KMP void __kmpc_push_num_threads_strict(const ident*, std::int32_t, std::int32_t threads,
                                              int /*severity*/, const char* /*message*/)
{
    // teams always have the requested size.
    this_member().pushed.threads = positive(threads);
}

// Sizes of this level and of nested ones.
ARTEL_KMP void __kmpc_push_num_threads_list(const ident*, std::int32_t, std::uint32_t length,
                                            const std::int32_t* list)
{
    push_sizes(length, list);
}

ARTEL_KMP void __kmpc_push_num_threads_list_strict(const ident*, std::int32_t, std::uint32_t length,
                                                   const std::int32_t* list, int /*severity*/,
                                                   const char* /*message*/)
{
    push_sizes(length, list);
}

ARTEL_KMP void __kmpc_pop_num_threads(const ident*, std::int32_t)
{
    this_member().pushed.threads = 0;
}

// omp_proc_bind_t's values, except that clang has a number of its own for primary. Other values
// mean no clause.
ARTEL_KMP void __kmpc_push_proc_bind(const ident*, std::int32_t, int policy)
{
    constexpr int primary_of_clang = 5;
    policy = policy == primary_of_clang ? bind_primary : policy;
    unsigned& bind = this_member().pushed.bind;
    bind = (bind & ~7u) |
           (policy >= bind_true && policy <= bind_spread ? static_cast<unsigned>(policy) : 0);
}

ARTEL_KMP void __kmpc_push_num_teams(const ident*, std::int32_t, std::int32_t teams,
                                     std::int32_t threads)
{
    member& m = this_member();
    m.pushed.teams = positive(teams);
    m.pushed.team_threads = positive(threads);
}

// Any number between the bounds is allowed; we take the upper one.
ARTEL_KMP void __kmpc_push_num_teams_51(const ident*, std::int32_t, std::int32_t lower,
                                        std::int32_t upper, std::int32_t threads)
{
    member& m = this_member();
    m.pushed.teams = positive(upper > 0 ? upper : lower);
    m.pushed.team_threads = positive(threads);
}

ARTEL_KMP void __kmpc_set_thread_limit(const ident*, std::int32_t, std::int32_t threads)
{
    if (threads > 0) {
        this_member().current->icvs.target_limit = positive(threads);
    }
}

ARTEL_KMP void __kmpc_fork_teams(const ident*, std::int32_t count, microtask function, ...)
{
    ARTEL_KMP_GATHER(arguments, count, function)
    call c{function, count, arguments};
    member& m = this_member();
    const league_of what = pushed_league(m, c);
    ARTEL_OMPT_TELL(run_league(m, what, &who));
    run_league(m, what);
}

ARTEL_KMP int __kmp_invoke_microtask(microtask function, int global, int bound, int count,
                                     void** arguments, void** /*exit_frame*/)
{
    auto** const list = static_cast<void**>(__builtin_alloca(
        sizeof(void*) *
        std::max<std::size_t>(static_cast<std::size_t>(std::max(count, 0)), in_registers)));
    std::copy_n(arguments, std::max(count, 0), list);
    invoke_microtask(function, &global, &bound, count, list);
    return 1;
}

}  // namespace artel::openmp::kmp
