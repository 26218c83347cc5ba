// The thesis's final algorithm: delayed balancing, with tasks of as many iterations as were run
// during the delay. So light iterations make large tasks, and heavy ones small tasks.
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
