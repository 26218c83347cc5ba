// Loops with options, and boxes, in C: <artel/c/loop.h>.
#include "capi/c_loop.hpp"

#include "loop/serial.hpp"

#include <algorithm>
#include <artel/parallel_for_box.hpp>

namespace artel::capi {

static_assert(static_cast<int>(ARTEL_TIMESPAN_GRAIN) ==
              static_cast<int>(detail::loop_algorithm::timespan_grain));

void run_loop(const how& h, std::int64_t begin, std::int64_t end, loop::range_body body,
              void* context, loop::site_key from)
{
    if (begin >= end) {
        return;
    }
    const bool limited = h.limits.concurrency != 0 || !h.limits.numas.empty() ||
                         h.limits.stop.stop_possible();
    const bool automatic = h.partitioner == ARTEL_AUTOMATIC;
    const std::int64_t grain = automatic ? std::max<std::int64_t>(h.grain, 1) : h.grain;
    if (automatic && !limited && begin != end - 1) {
        begin = loop::run_unshared(begin, end, grain, body, context, from);
        if (begin == end) {
            return;
        }
    }
    loop::request r;
    r.begin = begin;
    r.end = end;
    r.grain = grain;
    r.body = body;
    r.context = context;
    r.from = from;
    if (automatic) {
        loop::take_chosen(r);
    } else {
        r.how = loop::algorithms()[static_cast<std::size_t>(h.partitioner)];
    }
    r.concurrency = h.limits.concurrency;
    if (!h.limits.numas.empty()) {
        r.nodes = sched::node_set(h.limits.numas);
    }
    r.stop = h.limits.stop;
    loop::run(r);
}

namespace {

struct box_call {
    void (*body)(void*, const artel_side*);
    void* context;
    const artel_side* sides;
    unsigned dimensions;
    std::array<detail::box_side, 3> cut;
};

void call_boxes(void* given, std::int64_t begin, std::int64_t end, unsigned) noexcept
{
    const box_call& asked = *static_cast<const box_call*>(given);
    const unsigned unused = 3 - asked.dimensions;
    detail::for_each_box(asked.cut, begin, end, [&](const auto& first, const auto& last) {
        artel_side box[3] = {};
        for (unsigned i = 0; i < asked.dimensions; ++i) {
            const artel_side& whole = asked.sides[i];
            box[i] = {detail::advance(whole.begin, first[unused + i]),
                      detail::advance(whole.begin, last[unused + i]), whole.grain};
        }
        asked.body(asked.context, box);
    });
}

}  // namespace
}  // namespace artel::capi

using namespace artel::capi;

extern "C" int artel_parallel_for_with(const artel_loop_options* options, int64_t begin,
                                       int64_t end,
                                       void (*body)(void* context, int64_t begin, int64_t end),
                                       void* context)
{
    return answer(options, [&](const how& h) {
        range_call c{body, context};
        run_loop(h, begin, end, call_range, &c, key_of(body));
    });
}

extern "C" int artel_parallel_for_box(const artel_loop_options* options, const artel_side* sides,
                                      unsigned dimensions,
                                      void (*body)(void* context, const artel_side* box),
                                      void* context)
{
    if (dimensions < 1 || dimensions > 3) {
        return EINVAL;
    }
    return answer(options, [&](const how& h) {
        box_call c{body, context, sides, dimensions, {}};
        c.cut.fill({1, 1});
        for (unsigned i = 0; i < dimensions; ++i) {
            c.cut[3 - dimensions + i] = {artel::detail::distance(sides[i].begin, sides[i].end),
                                         std::max<std::int64_t>(sides[i].grain, 1)};
        }
        const std::int64_t blocks = artel::detail::count_blocks(c.cut);
        run_loop(h, 0, blocks, call_boxes, &c, key_of(body));
    });
}
