// The list of algorithms, and one simulated loop: every worker's coroutine is started, the
// simulation runs until no event is left, and a loop that has lost iterations is an error.
#include "algorithm.hpp"

#include <fmt/format.h>
#include <stdexcept>

namespace artel::model {

const std::vector<algorithm>& algorithms()
{
    static const std::vector<algorithm> all{{"static", take_part_static},
                                            {"automatic", take_part_automatic},
                                            {"automatic-map", take_part_automatic_map},
                                            {"counter", take_part_counter},
                                            {"timespan", take_part_timespan},
                                            {"timespan-grain", take_part_timespan_grain},
                                            {"lazy", take_part_lazy}};
    return all;
}

const algorithm& algorithm_named(const std::string& name)
{
    std::string names;
    for (const algorithm& each : algorithms()) {
        if (each.name == name) {
            return each;
        }
        names += (names.empty() ? "" : ", ") + each.name;
    }
    throw std::runtime_error(fmt::format("'{}' is no algorithm; there are {}", name, names));
}

step<> take_part_along_tree(crew& c, worker& w, step<> (*participate)(crew&, worker&, range))
{
    if (w.index == 0) {
        co_await c.invite(w, 1, c.size());
        co_await participate(c, w, c.share_of(0));
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
        co_await participate(c, w, l.share);
        co_await c.leave(w);
    }
}

namespace {

// A worker's part in a loop: for the caller from the call to its return, for others until there is
// nothing left to do.
step<> life(crew& c, worker& w, const algorithm& by, double& finished)
{
    co_await c.take_cpu(w);
    if (w.index == 0) {
        co_await c.time.pass(c.what.call);
        // The CPU has fetched the cache lines of the first two letters meanwhile (recruit.hpp,
        // prepare_to_invite).
        for (const unsigned i : {1u, 1 + c.size() / 2}) {
            if (i < c.size() && !c.workers[i].parked) {
                c.workers[i].mail_line.at = w.cpu;
            }
        }
        co_await by.take_part(c, w);
        finished = c.time.now();
        c.end();
    } else {
        co_await by.take_part(c, w);
    }
    c.give_cpu(w);
}

}  // namespace

outcome simulate(const algorithm& by, const machine& where, const costs& what, const shape& body,
                 const setting& how)
{
    crew c(where, what, body, how);
    double finished = 0;
    std::vector<step<>> lives;
    lives.reserve(c.size());
    for (worker& w : c.workers) {
        lives.push_back(life(c, w, by, finished));
    }
    for (step<>& each : lives) {
        each.start();
    }
    c.time.run();
    outcome o;
    for (const step<>& each : lives) {
        each.check();
    }
    double worked = 0;
    for (const worker& w : c.workers) {
        o.last_start = std::max(o.last_start, w.first_iteration);
        o.took_part += w.first_iteration >= 0;
        worked += w.worked;
    }
    if (c.left != 0 || finished == 0) {
        throw std::logic_error(fmt::format("{}: {} iterations were not run", by.name, c.left));
    }
    o.finish = finished;
    o.idle_share = 1 - worked / (finished * std::min(c.size(), where.cpus()));
    o.steals = c.steals;
    o.events = c.time.events();
    return o;
}

}  // namespace artel::model
