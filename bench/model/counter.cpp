// Dynamic scheduling from one counter: each claim moves the counter's cache line to the claiming
// CPU, and claims are served one after the other.
#include "algorithm.hpp"

namespace artel::model {
namespace {

step<> participate(crew& c, worker& w, range)
{
    const std::int64_t n = c.body.iterations();
    const std::int64_t chunk = std::max<std::int64_t>(
        1, n / (32 * static_cast<std::int64_t>(c.size())));
    for (;;) {
        co_await c.touch(w, c.counter);
        const range taken{c.next, std::min(n, c.next + chunk)};
        if (taken.empty()) {
            co_return;
        }
        c.next = taken.last;
        co_await c.run(w, taken);
    }
}

}  // namespace

step<> take_part_counter(crew& c, worker& w)
{
    co_await take_part_along_tree(c, w, participate);
}

}  // namespace artel::model
