// A half-open range of indices, as bodies of loops get it.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>

namespace artel {

// [begin, end) of an integer type or of random-access iterators. end must not be before begin. Can
// be gone over with a for loop.
template <class Index>
class blocked_range {
public:
    constexpr blocked_range(Index begin, Index end) : begin_(begin), end_(end) {}
    constexpr Index begin() const { return begin_; }
    constexpr Index end() const { return end_; }
    constexpr std::size_t size() const
    {
        if constexpr (std::integral<Index>) {
            // The distance may be more than Index can say.
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

// What a range may go over: anything that has differences and can be moved by them.
template <class Index>
concept loop_index = (std::integral<Index> && sizeof(Index) <= sizeof(std::int64_t)) ||
                     std::random_access_iterator<Index>;

}  // namespace artel
