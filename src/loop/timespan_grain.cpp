// The thesis's final algorithm: delayed balancing, with tasks that hold as many iterations as were
// run during the delay. Light iterations so make large tasks, heavy ones small.
#include "loop/tree.hpp"

namespace artel::loop {
namespace {

void run_loop(const request& r, unsigned slots)
{
    run_along_tree(r, slots, true);
}

}  // namespace

constinit const algorithm timespan_grain{
    .name = "timespan-grain", .participate = nullptr, .whole_when_alone = false, .whole = run_loop};

}  // namespace artel::loop
