// Parallel quicksort: large sequences are partitioned by all free workers (parallel_partition.hpp),
// the two parts are sorted at the same time, small ones by std::sort.
//
// The pivot is the median of medians of samples. Where many elements are equal to it they are left
// out of further sorting, so that sequences of few different keys take linear time. After too many
// lopsided partitions std::sort takes over, which is never slower than n log n.
#pragma once

#include <algorithm>
#include <artel/detail/parallel_partition.hpp>
#include <artel/parallel_for.hpp>
#include <artel/parallel_invoke.hpp>
#include <artel/workers.hpp>
#include <atomic>
#include <bit>
#include <cstdint>
#include <iterator>
#include <utility>

namespace artel::detail {

// Elements that one thread sorts by itself: some 100 us, long compared with the cost of a task,
// short compared with that of a sort.
inline constexpr std::ptrdiff_t sorted_alone = 4096;

// Brings the median of three to b. At least three comparisons, in place.
template <class It, class Less>
void sort_three(It a, It b, It c, Less& less)
{
    if (less(*b, *a)) {
        std::iter_swap(a, b);
    }
    if (less(*c, *b)) {
        std::iter_swap(b, c);
        if (less(*b, *a)) {
            std::iter_swap(a, b);
        }
    }
}

// Brings a pivot to `first`: of nine samples spread over the sequence, the median of the medians of
// three. At least nine elements.
template <class It, class Less>
void choose_pivot(It first, It last, Less& less)
{
    const std::ptrdiff_t eighth = (last - first) / 8;
    It at[9];
    for (std::ptrdiff_t i = 0; i < 8; ++i) {
        at[i] = first + i * eighth;
    }
    at[8] = last - 1;
    sort_three(at[0], at[1], at[2], less);
    sort_three(at[3], at[4], at[5], less);
    sort_three(at[6], at[7], at[8], less);
    sort_three(at[1], at[4], at[7], less);
    std::iter_swap(first, at[4]);
}

// `before`: the pivot of the part to the left, which is not greater than any element here; nullptr
// at the beginning. `lopsided`: how many more bad partitions are allowed.
template <class It, class Less>
void quick_sort_part(It first, It last, Less& less, const It* before, int lopsided)
{
    while (last - first > sorted_alone) {
        const std::ptrdiff_t n = last - first;
        if (lopsided == 0) {
            std::sort(first, last, std::ref(less));
            return;
        }
        choose_pivot(first, last, less);
        if (before != nullptr && !less(**before, *first)) {
            // The pivot is the smallest element here, so the elements equal to it are in place.
            It equal_end = partition_by_all(first + 1, last,
                                            [&](auto&& x) { return !less(*first, x); });
            first = equal_end;
            continue;
        }
        It middle = partition_by_all(first + 1, last, [&](auto&& x) { return less(x, *first); }) -
                    1;
        std::iter_swap(first, middle);
        if (std::min(middle - first, last - middle) < n / 8) {
            --lopsided;
        }
        const It pivot = middle;
        parallel_invoke([&] { quick_sort_part(first, middle, less, before, lopsided); },
                        [&] { quick_sort_part(middle + 1, last, less, &pivot, lopsided); });
        return;
    }
    std::sort(first, last, std::ref(less));
}

// Whether in_order(a, b) holds for all neighbours. In an unordered sequence the first elements
// usually decide.
template <class It, class InOrder>
bool all_neighbours(It first, It last, InOrder in_order)
{
    constexpr std::ptrdiff_t few = 1000;
    const auto hold = [&](It begin, It end) {
        return std::adjacent_find(begin, end,
                                  [&](auto&& a, auto&& b) { return !in_order(a, b); }) == end;
    };
    if (!hold(first, first + few)) {
        return false;
    }
    std::atomic<bool> all{true};
    parallel_for(blocked_range<It>(first + few, last), [&](const blocked_range<It>& part) {
        // relaxed (two): the loop's end publishes; until then it only saves work.
        if (all.load(std::memory_order_relaxed) && !hold(part.begin() - 1, part.end())) {
            all.store(false, std::memory_order_relaxed);
        }
    });
    return all.load(std::memory_order_relaxed);  // relaxed: the loop has ended
}

template <class It>
void reverse_by_all(It first, It last)
{
    parallel_for(blocked_range<It>(first, first + (last - first) / 2),
                 [&](const blocked_range<It>& part) {
                     for (It it = part.begin(); it != part.end(); ++it) {
                         std::iter_swap(it, last - 1 - (it - first));
                     }
                 });
}

template <class It, class Less>
void quick_sort(It first, It last, Less& less)
{
    const std::ptrdiff_t n = last - first;
    if (n <= sorted_alone || num_threads() == 1) {
        std::sort(first, last, std::ref(less));
    } else if (all_neighbours(first, last, [&](auto&& a, auto&& b) { return !less(b, a); })) {
        // Sorted: nothing to do.
    } else if (all_neighbours(first, last, [&](auto&& a, auto&& b) { return less(b, a); })) {
        reverse_by_all(first, last);
    } else {
        quick_sort_part<It>(first, last, less, nullptr,
                            2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))));
    }
}

}  // namespace artel::detail
