#include "algorithm.hpp"

namespace artel::model {
namespace {

step<> participate(crew& c, worker& w)
{
    const std::int64_t n = c.body.iterations();
    const std::int64_t chunk = std::max<std::int64_t>(1, n / (32 * static_cast<std::int64_t>(c.size())));
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
    if (w.index == 0) {
        co_await c.invite(w, 1, c.size());
        co_await participate(c, w);
        co_await c.leave(w);
        co_await c.await_others(w);
        co_return;
    }
    while (co_await c.receive(w)) {
        if (!w.mail) {
            continue;
        }
        const letter l = *std::exchange(w.mail, {});
        co_await c.invite(w, w.index + 1, l.to);
        co_await participate(c, w);
        co_await c.leave(w);
    }
}

}  // namespace artel::model
