// A half-open range of indices, which bodies of loops get.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>

namespace artel {

// [begin, end) of an integer type or of random-access iterators. end must not be before begin.
// Works in a range-based for loop.
template <class Index>
class blocked_range {
public:
    constexpr blocked_range(Index begin, Index end) : begin_(begin), end_(end) {}
    constexpr Index begin() const { return begin_; }
    constexpr Index end() const { return end_; }
    constexpr std::size_t size() const
    {
        if constexpr (std::integral<Index>) {
            // The distance may be too large for Index.
            return static_cast<std::size_t>(end_) - static_cast<std::size_t>(begin_);
        } else {
            return static_cast<std::size_t>(end_ - begin_);
        }
    }
    constexpr bool empty() const { return begin_ == end_; }

private:
    Index begin_;
    Index end_;
};

// The types of bounds: values have differences, and such a difference can be added to a value.
template <class Index>
concept loop_index = (std::integral<Index> && sizeof(Index) <= sizeof(std::int64_t)) ||
                     std::random_access_iterator<Index>;

}  // namespace artel
