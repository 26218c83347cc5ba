// The thesis's delayed balancing with tasks of a fixed size, one iteration unless a grain was asked
// for: for comparison with timespan_grain.
#include "loop/tree.hpp"

namespace artel::loop {
namespace {

void run_loop(const request& r, unsigned slots)
{
    run_along_tree(r, slots, false);
}

}  // namespace

constinit const algorithm timespan{
    .name = "timespan", .participate = nullptr, .whole_when_alone = false, .whole = run_loop};

}  // namespace artel::loop
