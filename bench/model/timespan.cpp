// The thesis's algorithm: a share for every worker along a K-ary tree; no balancing tasks until the
// timespan has passed, then the rest as tasks that are halved down to the grain and stolen from
// random workers.
#include "algorithm.hpp"

namespace artel::model {
namespace {

// Runs a task: gives away halves of it until it is no longer than the grain.
step<> run_task(crew& c, worker& w, range task, std::int64_t grain)
{
    while (task.size() > grain) {
        const std::int64_t middle = task.first + task.size() / 2;
        co_await c.touch(w, w.task_line);
        w.tasks.push_back({middle, task.last});
        task.last = middle;
    }
    co_await c.run(w, task);
}

// The last task made here, or the first of a random worker; empty when that one has none.
step<range> find_task(crew& c, worker& w)
{
    if (!w.tasks.empty()) {
        co_await c.touch(w, w.task_line);
        if (!w.tasks.empty()) {
            const range last = w.tasks.back();
            w.tasks.pop_back();
            co_return last;
        }
    }
    worker& victim = c.workers[c.random() % c.size()];
    if (&victim == &w || victim.tasks.empty()) {
        co_await c.time.pass(c.what.look +
                             (&victim == &w ? 0 : c.what.move(c.where.between(victim.cpu, w.cpu))));
        co_return range{};
    }
    co_await c.touch(w, victim.task_line);
    if (victim.tasks.empty()) {
        co_return range{};
    }
    const range first = victim.tasks.front();
    victim.tasks.pop_front();
    ++c.steals;
    co_return first;
}

step<> participate(crew& c, worker& w, bool with_grain)
{
    std::int64_t grain = 1;
    double pause = 0;
    while (!c.over()) {
        if (w.mail) {
            co_await c.touch(w, w.mail_line);
            const letter l = *std::exchange(w.mail, {});
            co_await c.invite(w, w.index + 1, l.to);
            range mine = l.share;
            if (!mine.empty()) {
                const std::int64_t ran = c.body.count_worth(mine, c.how.timespan);
                co_await c.run(w, {mine.first, mine.first + ran});
                mine.first += ran;
                if (with_grain) {
                    grain = ran;
                }
                if (!mine.empty()) {
                    co_await run_task(c, w, mine, grain);
                }
            }
            co_await c.leave(w);
            continue;
        }
        const range task = co_await find_task(c, w);
        if (!task.empty()) {
            co_await run_task(c, w, task, grain);
            pause = 0;
        } else {
            pause = longer(pause);
            co_await c.give_way(w, pause);
        }
    }
}

step<> take_part(crew& c, worker& w, bool with_grain)
{
    if (w.index == 0) {
        w.mail = letter{c.share_of(0), c.size()};
        co_await participate(c, w, with_grain);
        co_await c.await_others(w);
        co_return;
    }
    // Sleeps until it gets its letter; afterwards it searches for work.
    if (w.parked) {
        co_await c.receive(w);
    }
    co_await participate(c, w, with_grain);
}

}  // namespace

step<> take_part_timespan(crew& c, worker& w)
{
    co_await take_part(c, w, false);
}

step<> take_part_timespan_grain(crew& c, worker& w)
{
    co_await take_part(c, w, true);
}

}  // namespace artel::model
