// A call's construct and number of children follow from its seed alone, so that a run can be
// repeated, and the expected sum be computed by one thread.
#include "tree.hpp"

#include <cstdio>
#include <cstdlib>

namespace mixture {

const char* const names[] = {"omp_region",   "omp_for",        "omp_tasks",       "omp_taskloop",
                             "omp_sections", "omp_team_loops", "omp_dependences", "tbb_for",
                             "tbb_group",    "tbb_arena",      "tbb_enqueue",     "tbb_isolated",
                             "tbb_reduce",   "tbb_pipeline",   "tbb_graph",       "tbb_feeder",
                             "tbb_invoke",   "tbb_resumed",    "tbb_thrown",      "artel_for",
                             "artel_reduce", "artel_invoke",   "artel_group",     "artel_threads",
                             "artel_feeder", "artel_width",    "abt_streams",     "abt_units",
                             "abt_eventual", "qt_forks",       "qt_sincs",        "std_threads"};

unsigned long long allowed = ~0ull;

node look(number seed, int depth)
{
    const number x = scramble(seed);
    node n{seed, depth, omp_region, 0, depth == 0 || (depth < deepest && x % 5 == 0)};
    if (!n.leaf) {
        do {
            seed = scramble(seed + 1);
            n.kind = static_cast<construct>((seed >> 8) % constructs);
        } while (((allowed >> n.kind) & 1) == 0);
        static constexpr int widths[] = {1, 2, 2, 3, 4, 4, 6, 9};
        n.children = widths[(x >> 20) % 8];
    }
    return n;
}

number child_seed(const node& n, int i)
{
    return scramble(n.seed * 31 + static_cast<number>(i));
}

number expect(number seed, int depth)
{
    const node n = look(seed, depth);
    if (n.leaf) {
        return scramble(seed) % 1000;
    }
    number sum = 1;
    for (int i = 0; i < n.children; ++i) {
        sum += expect(child_seed(n, i), depth - 1);
    }
    return sum;
}

[[noreturn]] void fail(const node& n, const char* what)
{
    std::printf("seed %llu, depth %d, %s of %d: %s\n", static_cast<unsigned long long>(n.seed),
                n.depth, names[n.kind], n.children, what);
    std::fflush(stdout);
    std::abort();
}

namespace {
const bool traced = std::getenv("MIXTURE_TRACE") != nullptr;
}

void trace(const node& n, const char* what)
{
    if (traced) {
        std::fprintf(stderr, "%*s%s of %d (%llx) %s\n", 2 * (deepest - n.depth), "", names[n.kind],
                     n.children, static_cast<unsigned long long>(n.seed >> 40), what);
    }
}

}  // namespace mixture
