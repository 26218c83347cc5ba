// The algorithm of src/loop/automatic.cpp and steal.cpp; and the same with maps: a worker that has
// finished its share clears its bit in a word that it shares with 31 neighbours, and a thief reads
// those words instead of all shares.
#include "algorithm.hpp"

namespace artel::model {
namespace {

constexpr unsigned mapped = 32;  // workers on one map

// Finds the first worker after w, in the order of the numbers, from which something can be taken;
// adds up what the search costs.
unsigned look_around(crew& c, worker& w, unsigned& expected, double& looked)
{
    for (unsigned i = 1; i < c.size(); ++i) {
        const unsigned at = (w.index + i) % c.size();
        looked += c.price_of_look(w, at);
        if (!c.workers[at].share.empty()) {
            return at;
        }
        if (c.workers[at].expected && expected == c.size()) {
            expected = at;
        }
    }
    return c.size();
}

unsigned look_at_maps(crew& c, worker& w, unsigned& expected, double& looked)
{
    unsigned read = ~0u;
    for (unsigned i = 1; i < c.size(); ++i) {
        const unsigned at = (w.index + i) % c.size();
        if (at / mapped != read) {
            read = at / mapped;
            line& map = c.maps[read];
            looked += c.what.look +
                      (map.at == w.cpu ? 0 : c.what.move(c.where.between(map.at, w.cpu)));
            map.at = w.cpu;
        }
        if (!c.workers[at].share.empty()) {
            looked += c.price_of_look(w, at);
            return at;
        }
        if (c.workers[at].expected && expected == c.size()) {
            expected = at;
        }
    }
    return c.size();
}

// Runs the worker's own share, a piece at a time.
step<> run_own(crew& c, worker& w)
{
    while (!w.share.empty()) {
        co_await c.touch(w, w.share_line);
        co_await c.time.pass(c.what.claim - c.what.atomic);
        if (w.share.empty()) {
            break;
        }
        const std::int64_t worth = c.body.count_worth(w.share, c.what.worthwhile);
        const std::int64_t size = w.share.size();
        const std::int64_t piece = size / 2 <= worth ? size : std::min(worth, size / 4);
        const range taken{w.share.first, w.share.first + piece};
        w.share.first += piece;
        co_await c.run(w, taken);
    }
}

// Takes half of what another worker has left, or the share of a worker that has not come. False:
// there is nothing left to take.
step<bool> refill(crew& c, worker& w, bool with_maps)
{
    const double began = c.time.now();
    if (with_maps) {
        co_await c.touch(w, c.maps[w.index / mapped]);
    }
    for (;;) {
        unsigned expected = c.size();
        double looked = 0;
        const unsigned victim = (with_maps ? look_at_maps : look_around)(c, w, expected, looked);
        co_await c.time.pass(looked);
        if (victim != c.size()) {
            worker& v = c.workers[victim];
            co_await c.touch(w, v.share_line);
            if (v.share.empty()) {
                continue;
            }
            const std::int64_t taken = std::max<std::int64_t>(1, v.share.size() / 2);
            const range mine{v.share.last - taken, v.share.last};
            v.share.last -= taken;
            ++c.steals;
            if (with_maps) {
                // Before others can take it: otherwise they would take the last iterations from
                // each other while each waits for the map.
                co_await c.touch(w, c.maps[w.index / mapped]);
            }
            w.share = mine;
            co_await c.touch(w, w.share_line);
            co_return true;
        }
        if (expected == c.size()) {
            co_return false;
        }
        if (c.shares_cpus() || c.time.now() - began >= c.what.hold) {
            if (co_await c.take_back(w, expected)) {
                ++c.steals;
                co_await c.touch(w, w.share_line);
                co_return true;
            }
        } else {
            co_await c.time.pass(25);
        }
    }
}

step<> participate(crew& c, worker& w, range mine, bool with_maps)
{
    if (!mine.empty()) {
        const std::int64_t worth = c.body.count_worth(mine, c.what.worthwhile);
        const std::int64_t first = mine.size() / 2 <= worth
                                       ? mine.size()
                                       : std::max<std::int64_t>(1,
                                                                std::min(worth, mine.size() / 4));
        w.share = {mine.first + first, mine.last};
        co_await c.touch(w, w.share_line);
        co_await c.run(w, {mine.first, mine.first + first});
    }
    bool more = true;
    while (more) {
        co_await run_own(c, w);
        more = co_await refill(c, w, with_maps);
    }
}

step<> participate_looking_around(crew& c, worker& w, range mine)
{
    co_await participate(c, w, mine, false);
}

step<> participate_with_maps(crew& c, worker& w, range mine)
{
    co_await participate(c, w, mine, true);
}

}  // namespace

step<> take_part_automatic(crew& c, worker& w)
{
    co_await take_part_along_tree(c, w, participate_looking_around);
}

step<> take_part_automatic_map(crew& c, worker& w)
{
    co_await take_part_along_tree(c, w, participate_with_maps);
}

}  // namespace artel::model
