// Reductions and prefix sums in C: <artel/c/reduce.h>.
#include "capi/c_loop.hpp"
#include "capi/c_value.hpp"

#include <artel/c/reduce.h>
#include <artel/parallel_deterministic_reduce.hpp>
#include <artel/parallel_reduce.hpp>
#include <artel/parallel_scan.hpp>

using namespace artel::capi;
using artel::detail::call_piece;

namespace {

// The program's functions, over values. Their exceptions end the program.
struct joiner {
    artel_join join;
    void* context;
    value operator()(value&& left, const value& right) const noexcept
    {
        join(context, left.data(), right.data());
        return std::move(left);
    }
};
struct two_joiner : joiner {
    using joiner::operator();
    value operator()(const value& left, const value& right) const
    {
        return (*this)(value(left), right);
    }
};

// The result replaces the identity, unless the loop was told to stop: then true.
bool stopped_or_given(const value& total, const how& h, void* to, std::size_t size)
{
    const bool stopped = h.limits.stop.stop_requested();
    if (size != 0 && !stopped) {
        std::memcpy(to, total.data(), size);
    }
    return stopped;
}

}  // namespace

extern "C" int artel_parallel_reduce(const artel_loop_options* options, int64_t begin, int64_t end,
                                     size_t size, void* result, artel_reduce_body body,
                                     artel_join join, void* context)
{
    return answer(options, [&](const how& h) {
        const std::int64_t count = artel::detail::distance(begin, end);
        const value identity(result, size);
        auto reduce = [&](std::int64_t b, std::int64_t e, value&& v) noexcept -> value {
            body(context, artel::detail::advance(begin, b), artel::detail::advance(begin, e),
                 v.data());
            return std::move(v);
        };
        joiner both{join, context};
        return stopped_or_given(
            artel::detail::reduce_parts(
                artel::detail::loop_width(&h.limits), h.partitioner == ARTEL_STATIC, identity,
                reduce, both,
                [&](auto& piece) {
                    run_loop(h, 0, count, call_piece<std::remove_reference_t<decltype(piece)>>,
                             &piece, key_of(body));
                }),
            h, result, size);
    });
}

extern "C" int artel_parallel_deterministic_reduce(const artel_loop_options* options, int64_t begin,
                                                   int64_t end, size_t size, void* result,
                                                   artel_reduce_body body, artel_join join,
                                                   void* context)
{
    return answer(options, [&](how h) {
        const std::int64_t count = artel::detail::distance(begin, end);
        const value identity(result, size);
        auto reduce = [&](std::int64_t b, std::int64_t e) -> value {
            value v(identity);
            [&]() noexcept {
                body(context, artel::detail::advance(begin, b), artel::detail::advance(begin, e),
                     v.data());
            }();
            return v;
        };
        joiner both{join, context};
        const std::int64_t grain = std::exchange(h.grain, 1);
        h.partitioner = ARTEL_AUTOMATIC;
        return stopped_or_given(artel::detail::reduce_in_pairs_by(
                                    count, identity, reduce, both, grain, &h.limits,
                                    [&](std::size_t blocks, auto& each) {
                                        auto piece = [&](std::int64_t b, std::int64_t e, unsigned) {
                                            for (; b < e; ++b) {
                                                each(static_cast<std::size_t>(b));
                                            }
                                        };
                                        run_loop(h, 0, static_cast<std::int64_t>(blocks),
                                                 call_piece<decltype(piece)>, &piece, key_of(body));
                                    }),
                                h, result, size);
    });
}

extern "C" int artel_parallel_scan(const artel_loop_options* options, int64_t begin, int64_t end,
                                   size_t size, void* result, artel_scan_body body, artel_join join,
                                   void* context)
{
    return answer(options, [&](const how& h) {
        auto scan = [&](const artel::blocked_range<std::int64_t>& part, const value& before,
                        bool is_final) -> value {
            value total(before);
            [&]() noexcept {
                body(context, part.begin(), part.end(), total.data(), is_final ? 1 : 0);
            }();
            return total;
        };
        two_joiner both{{join, context}};
        return stopped_or_given(artel::detail::scan_in_parallel(
                                    artel::blocked_range<std::int64_t>(begin, std::max(begin, end)),
                                    value(result, size), scan, both, h.grain, &h.limits),
                                h, result, size);
    });
}
