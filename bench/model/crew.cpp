// The protocols that the algorithms share, reduced to what costs time: invitations along the tree,
// taking back the share of a worker that has not come, the counting of participants, and turns on a
// CPU that several workers use.
#include "crew.hpp"

namespace artel::model {

crew::crew(const machine& m, const costs& c, const shape& s, const setting& h)
    : where(m), what(c), body(s), how(h), workers(h.workers), maps((h.workers + 31) / 32),
      left(s.iterations()), random(h.seed), cpus_(m.cpus())
{
    for (unsigned i = 0; i < size(); ++i) {
        workers[i].index = i;
        workers[i].cpu = i % m.cpus();
        workers[i].parked = h.parked && i != 0;
        workers[i].mail_line.at = workers[i].cpu;
        workers[i].share_line.at = workers[i].cpu;
        workers[i].task_line.at = workers[i].cpu;
        workers[i].count_line.at = workers[i].cpu;
    }
    state.at = counter.at = 0;
    for (line& each : maps) {
        each.at = 0;
    }
}

step<> crew::touch(worker& w, line& l)
{
    const double begin = std::max(time.now(), l.free);
    const double moved = l.at == ~0u || l.at == w.cpu ? 0 : what.move(where.between(l.at, w.cpu));
    l.free = begin + moved + what.atomic;
    l.at = w.cpu;
    ++l.version;
    co_await time.pass(l.free - time.now());
}

double crew::price_of_look(worker& w, unsigned at)
{
    line& l = workers[at].share_line;
    if (w.seen.empty()) {
        w.seen.assign(size(), 0);
    }
    if (w.seen[at] == l.version && l.version != 0) {
        return what.look;
    }
    w.seen[at] = l.version;
    const double moved = l.at == w.cpu ? 0 : what.move(where.between(l.at, w.cpu));
    l.at = w.cpu;  // its owner has to fetch it for the next write
    return moved + what.look;
}

step<> crew::run(worker& w, range r)
{
    if (w.first_iteration < 0) {
        w.first_iteration = time.now();
    }
    const double takes = body.time(r);
    w.worked += takes;
    co_await time.pass(takes);
    left -= r.size();
}

step<> crew::take_cpu(worker& w)
{
    struct awaiter {
        turns& on;
        bool await_ready() const noexcept { return !std::exchange(on.taken, true); }
        void await_suspend(std::coroutine_handle<> h) const { on.waiting.push_back(h); }
        void await_resume() const noexcept {}
    };
    co_await awaiter{cpus_[w.cpu]};
}

void crew::give_cpu(worker& w)
{
    turns& on = cpus_[w.cpu];
    if (on.waiting.empty()) {
        on.taken = false;
        return;
    }
    time.at(time.now() + what.yield, on.waiting.front());
    on.waiting.pop_front();
}

step<> crew::give_way(worker& w, double otherwise)
{
    struct awaiter {
        crew& in;
        worker& who;
        double otherwise;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> h) const
        {
            auto& waiting = in.cpus_[who.cpu].waiting;
            if (waiting.empty()) {
                in.time.at(in.time.now() + in.what.look + otherwise, h);
                return;
            }
            waiting.push_back(h);
            in.time.at(in.time.now() + in.what.yield, waiting.front());
            waiting.pop_front();
        }
        void await_resume() const noexcept {}
    };
    co_await awaiter{*this, w, otherwise};
}

step<> crew::send(worker& w, unsigned to, letter l)
{
    worker& other = workers[to];
    co_await touch(w, other.mail_line);
    other.mail = l;
    other.expected = true;
    if (other.waiting) {
        double arrives = what.move(where.between(w.cpu, other.cpu));
        if (other.parked) {
            other.parked = false;
            co_await time.pass(what.wake_call);
            arrives = what.wake;
        }
        if (other.waiting) {
            // it polls the line all the time; the distance is in `arrives`.
            other.mail_line.at = other.cpu;
            time.at(time.now() + arrives, std::exchange(other.waiting, {}));
        }
    }
}

step<bool> crew::receive(worker& w)
{
    struct awaiter {
        worker& who;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> h) const { who.waiting = h; }
        void await_resume() const noexcept {}
    };
    while (!w.mail) {
        if (over()) {
            co_return false;
        }
        if (shares_cpus() && !w.parked) {
            co_await give_way(w);
        } else {
            co_await awaiter{w};
        }
    }
    co_await touch(w, w.mail_line);
    // Another worker may have been faster: `mail` is empty then.
    const bool mine = w.mail.has_value();
    if (mine) {
        w.expected = false;
    }
    co_return mine || !over();
}

step<bool> crew::take_back(worker& w, unsigned from)
{
    worker& other = workers[from];
    co_await touch(w, other.mail_line);
    if (!other.mail || !other.expected) {
        co_return false;
    }
    const letter l = *std::exchange(other.mail, {});
    other.expected = false;
    w.share = l.share;
    // The workers that it was to invite find their shares in place.
    for (unsigned i = from + 1; i < l.to; ++i) {
        workers[i].share = share_of(i);
    }
    co_await discount(w, other);
    co_return true;
}

step<> crew::invite(worker& w, unsigned from, unsigned to)
{
    if (from >= to) {
        co_return;
    }
    const unsigned groups = how.fan_out == 0 || shares_cpus() ? to - from
                                                              : std::min(how.fan_out, to - from);
    for (unsigned g = 0; g < groups; ++g) {
        const unsigned first = from + (to - from) * g / groups;
        const unsigned end = from + (to - from) * (g + 1) / groups;
        ++participants;
        if (how.count_in_tree) {
            workers[first].inviter = &w;
            ++w.counted;
        } else if (participants > 2) {
            co_await touch(w, state);
        }
        co_await send(w, first, {share_of(first), end});
    }
}

// `w` reports that `gone` and all workers that it invited have left.
step<> crew::discount(worker& w, worker& gone)
{
    if (!how.count_in_tree) {
        co_await touch(w, state);
        --participants;
        co_return;
    }
    worker* at = &gone;
    while (at->inviter != nullptr && at->counted == 0) {
        worker* const above = std::exchange(at->inviter, nullptr);
        co_await touch(w, above->count_line);
        --above->counted;
        --participants;
        if (above->worked_off) {
            at = above;
        } else {
            break;
        }
    }
}

step<> crew::leave(worker& w)
{
    co_await time.pass(what.leave);
    w.worked_off = true;
    if (w.index != 0) {
        co_await discount(w, w);
    }
}

step<> crew::await_others(worker& w)
{
    while (participants > 1) {
        co_await give_way(w, 40);
    }
    co_await touch(w, how.count_in_tree ? w.count_line : state);
}

void crew::end()
{
    for (worker& w : workers) {
        if (w.waiting) {
            time.at(time.now(), std::exchange(w.waiting, {}));
        }
    }
}

}  // namespace artel::model
