// The entry of the public loops: <artel/detail/loop.hpp>.
#include "loop/serial.hpp"

#include <algorithm>
#include <artel/detail/loop.hpp>
#include <artel/detail/short_loop.hpp>

namespace artel::detail {

namespace {

bool limited(const limit* limits) noexcept
{
    return limits != nullptr &&
           (limits->concurrency != 0 || !limits->numas.empty() || limits->stop.stop_possible());
}

// A function of its own, so that a single iteration needs no saved registers and no request.
[[gnu::noinline]] void run_several(const loop_request& asked)
{
    std::int64_t begin = asked.begin;
    if (asked.algorithm == loop_algorithm::automatic && begin < asked.end && !limited(asked.limits))
        [[likely]] {
        begin = loop::run_unshared(begin, asked.end, asked.grain, asked.body, asked.context,
                                   loop::site_key_of(asked.body));
        if (begin == asked.end) {
            return;
        }
    }
    loop::request r;
    r.begin = begin;
    r.end = asked.end;
    r.grain = asked.grain > 0 ? asked.grain : 0;
    if (asked.algorithm == loop_algorithm::automatic) {
        loop::take_chosen(r);
    } else if (const auto number = static_cast<std::size_t>(asked.algorithm);
               number < loop::algorithms().size()) {
        r.how = loop::algorithms()[number];
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

}  // namespace

unsigned loop_width(const limit* limits) noexcept
{
    const unsigned width = loop::width(limits != nullptr ? limits->concurrency : 0);
    const width_budget* const scope = sched::width_here();
    return scope != nullptr ? std::min(width, scope->most) : width;
}

const free_workers* short_loop(loop_body body, std::int64_t iterations) noexcept
{
    return loop::short_loop(loop::site_key_of(body), static_cast<std::uint64_t>(iterations));
}

void run_loop(const loop_request& asked)
{
    if (asked.begin < asked.end && asked.begin == asked.end - 1 &&
        asked.algorithm == loop_algorithm::automatic && !limited(asked.limits)) {
        asked.body(asked.context, asked.begin, asked.end, 0);
        return;
    }
    run_several(asked);
}

}  // namespace artel::detail
