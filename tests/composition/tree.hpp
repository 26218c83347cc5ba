// The trees of calls: which constructs a seed names, and what they have to give. Pure functions of
// the seed and of the constructs that are allowed.
#pragma once

#include <cstdint>

namespace mixture {

using number = std::uint64_t;

// One more word of a seed's sequence: splitmix64.
inline number scramble(number x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

constexpr int deepest = 4;

enum construct {
    omp_region,
    omp_for,
    omp_tasks,
    omp_taskloop,
    omp_sections,
    omp_team_loops,
    omp_dependences,
    tbb_for,
    tbb_group,
    tbb_arena,
    tbb_enqueue,
    tbb_isolated,
    tbb_reduce,
    tbb_pipeline,
    tbb_graph,
    tbb_feeder,
    tbb_invoke,
    tbb_resumed,
    tbb_thrown,
    artel_for,
    artel_reduce,
    artel_invoke,
    artel_group,
    artel_threads,
    artel_feeder,
    artel_width,
    abt_streams,
    abt_units,
    abt_eventual,
    qt_forks,
    qt_sincs,
    std_threads,
    constructs
};

extern const char* const names[];
extern unsigned long long allowed;  // a bit for each construct

struct node {
    number seed;
    int depth;
    construct kind;
    int children;
    bool leaf;
};

node look(number seed, int depth);
number child_seed(const node& n, int i);

// What run() has to give, by one thread.
number expect(number seed, int depth);

// Ends the program with a message that names the call.
[[noreturn]] void fail(const node& n, const char* what);

// With MIXTURE_TRACE, to standard error.
void trace(const node& n, const char* what);

}  // namespace mixture
