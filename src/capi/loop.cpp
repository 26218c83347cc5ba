// The entry of the public loops: <artel/detail/loop.hpp>.
#include "loop/loop.hpp"

#include <artel/detail/loop.hpp>

namespace artel::detail {

unsigned loop_width(const limit* limits) noexcept
{
    return loop::width(limits != nullptr ? limits->concurrency : 0);
}

void run_loop(const loop_request& asked)
{
    loop::request r;
    r.begin = asked.begin;
    r.end = asked.end;
    r.grain = asked.grain > 0 ? asked.grain : 1;
    switch (asked.algorithm) {
    case loop_algorithm::automatic: r.how = &loop::automatic; break;
    case loop_algorithm::static_: r.how = &loop::static_; break;
    case loop_algorithm::simple: r.how = &loop::simple; break;
    }
    r.body = asked.body;
    r.context = asked.context;
    if (asked.limits != nullptr) [[unlikely]] {
        r.concurrency = asked.limits->concurrency;
        if (!asked.limits->numas.empty()) {
            r.nodes = sched::node_set(asked.limits->numas);
        }
        r.stop = asked.limits->stop;
    }
    loop::run(r);
}

}  // namespace artel::detail
