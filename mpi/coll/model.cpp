// The formulas of the header. Numbers of parts are rounded up, and at least one, so that no size
// divides by zero.
#include "coll/model.hpp"

#include <algorithm>
#include <cmath>

namespace artel::coll {
namespace {

std::size_t parts(std::size_t whole, std::size_t part)
{
    return part == 0 ? 1 : std::max<std::size_t>((whole + part - 1) / part, 1);
}

}  // namespace

double broadcast_time(const model_times& times, const queue_shape& queue, std::size_t message)
{
    const auto rounds = static_cast<double>(parts(message, queue.bytes()));
    const auto fragments = static_cast<double>(parts(message, queue.fragment));
    const double first_copy = (times.quicker != 0 ? times.quicker : times.per_byte) *
                              static_cast<double>(std::min(queue.fragment, message));
    const double fillings = queue.sets == 1 ? rounds : 1;
    return static_cast<double>(queue.sets) * rounds * (times.set_wait + times.atomic) +
           fillings * first_copy + fragments * times.notify +
           static_cast<double>(message) * times.per_byte;
}

double best_fragment(const model_times& times, std::size_t queue_bytes, std::size_t message)
{
    return std::sqrt(static_cast<double>(message) * times.notify /
                     (static_cast<double>(parts(message, queue_bytes)) * times.per_byte));
}

std::size_t best_fragment_in_pages(const model_times& times, std::size_t queue_bytes,
                                   std::size_t sets, std::size_t message, std::size_t page)
{
    const auto wanted = static_cast<std::size_t>(best_fragment(times, queue_bytes, message));
    const std::size_t most = std::max(queue_bytes / std::max<std::size_t>(sets, 1) / page * page,
                                      page);
    return std::clamp(parts(wanted, page) * page, page, most);
}

queue_shape shape_for_message(std::size_t message, std::size_t page)
{
    const auto root = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(message))));
    const std::size_t fragment = parts(root, page) * page;
    return {fragment, parts(message, fragment), 1};
}

}  // namespace artel::coll
