// The number of iterations of a loop, and its end, which may have another type than the beginning.
#pragma once

#include <artel/blocked_range.hpp>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace artel::detail {

// Throws std::length_error for 2^63 iterations or more.
template <class Count>
std::int64_t counted(Count iterations)
{
    if constexpr (sizeof(Count) >= sizeof(std::int64_t)) {
        if (iterations > static_cast<Count>(std::numeric_limits<std::int64_t>::max())) {
            throw std::length_error("artel: a loop has at most 2^63 - 1 iterations");
        }
    }
    return static_cast<std::int64_t>(iterations);
}

// The number of iterations; 0 when last is before first. Integers are subtracted as unsigned ones,
// because the distance may be too large for Index. Throws std::length_error for 2^63 or more.
template <loop_index Index>
std::int64_t distance(Index first, Index last)
{
    if constexpr (std::integral<Index>) {
        return counted(last > first
                           ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)
                           : 0);
    } else {
        return last > first ? counted(last - first) : 0;
    }
}

template <std::integral Number>
constexpr bool is_negative(Number n) noexcept
{
    if constexpr (std::is_signed_v<Number>) {
        return n < 0;
    } else {
        return false;
    }
}

// The end of a range whose beginning is an Index. It is made from an Index, or from anything that
// converts to one; the value of a number of another type must be representable as Index.
template <loop_index Index>
class range_end {
public:
    constexpr range_end(Index last) : last_(last) {}
    template <std::integral Number>
        requires(std::integral<Index> && !std::same_as<Number, Index>)
    constexpr range_end(Number last)
        : last_(static_cast<Index>(last)),
          is_said_(static_cast<Number>(last_) == last && is_negative(last_) == is_negative(last)),
          is_low_(is_negative(last))
    {}
    template <std::convertible_to<Index> Other>
        requires(!std::same_as<Other, Index> && !(std::integral<Index> && std::integral<Other>))
    constexpr range_end(const Other& last) : last_(static_cast<Index>(last))
    {}

    // Throws std::out_of_range for values that Index cannot represent. But if such a value is
    // before `first`, as -1 is before any unsigned number, the range is empty, and `first` is
    // stored instead. `down`: the loop counts down.
    constexpr Index after(const Index& first, bool down = false) const
    {
        if (is_said_) [[likely]] {
            return last_;
        }
        if (is_low_ == down) {
            throw std::out_of_range(
                "artel: the end of the range does not fit into the type of its beginning; give the "
                "beginning the type of the end");
        }
        return first;
    }

private:
    Index last_;
    bool is_said_ = true;
    bool is_low_ = false;
};
// Takes no part in the deduction of Index.
template <class Index>
using end_of_range = range_end<std::type_identity_t<Index>>;

}  // namespace artel::detail
