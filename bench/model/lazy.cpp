// Lazy binary splitting (Tzannes and others, 2010), with pieces of the same length as the default:
// the caller begins with all iterations; half of what a worker has left can be stolen, and another
// half is offered only when that has been taken.
#include "algorithm.hpp"

namespace artel::model {
namespace {

step<> run_range(crew& c, worker& w, range mine)
{
    for (;;) {
        while (!mine.empty()) {
            if (w.share.empty() && mine.size() > 1 && c.body.time(mine) > 2 * c.what.worthwhile) {
                const std::int64_t middle = mine.first + (mine.size() + 1) / 2;
                w.share = {middle, mine.last};
                mine.last = middle;
                co_await c.touch(w, w.share_line);
            }
            const range piece{mine.first, mine.first + c.body.count_worth(mine, c.what.worthwhile)};
            mine.first = piece.last;
            co_await c.run(w, piece);
        }
        if (w.share.empty()) {
            co_return;
        }
        co_await c.touch(w, w.share_line);
        mine = std::exchange(w.share, {});
    }
}

}  // namespace

step<> take_part_lazy(crew& c, worker& w)
{
    if (w.index == 0) {
        co_await run_range(c, w, {0, c.body.iterations()});
    }
    double pause = 0;
    while (!c.over()) {
        worker& victim = c.workers[c.random() % c.size()];
        if (&victim == &w) {
            co_await c.time.pass(c.what.look);
            continue;
        }
        co_await c.time.pass(c.price_of_look(w, victim.index));
        if (!victim.share.empty()) {
            co_await c.touch(w, victim.share_line);
            if (!victim.share.empty()) {
                const range taken = std::exchange(victim.share, {});
                ++c.steals;
                co_await run_range(c, w, taken);
                pause = 0;
                continue;
            }
        }
        pause = longer(pause);
        co_await c.give_way(w, pause);
    }
}

}  // namespace artel::model
