// Parallel stable merge sort. The elements move to a buffer, where leaves are sorted by
// std::stable_sort; then runs are merged in pairs, from the buffer to the sequence and back. The
// number of levels is odd, so that the last one ends in the sequence. A merge of long runs is
// split: a binary search finds the place of the longer run's middle in the other one, and both
// halves are merged at the same time.
#pragma once

#include <algorithm>
#include <artel/parallel_for.hpp>
#include <artel/parallel_invoke.hpp>
#include <artel/workers.hpp>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>

namespace artel::detail {

// Elements: below this number one thread is as fast.
inline constexpr std::ptrdiff_t stably_sorted_alone = 4096;
inline constexpr std::ptrdiff_t merged_alone = 8192;

// [x, x_end) and [y, y_end), both sorted, to `out`; of equal elements x's are first.
template <class In, class Out, class Less>
void merge_by_all(In x, In x_end, In y, In y_end, Out out, Less& less)
{
    const std::ptrdiff_t nx = x_end - x;
    const std::ptrdiff_t ny = y_end - y;
    if (nx + ny <= merged_alone) {
        std::merge(std::move_iterator(x), std::move_iterator(x_end), std::move_iterator(y),
                   std::move_iterator(y_end), out,
                   [&](const auto& a, const auto& b) { return less(a, b); });
        return;
    }
    In in_x = x + nx / 2;
    In in_y = y + ny / 2;
    if (nx >= ny) {
        in_y = std::lower_bound(y, y_end, *in_x, std::ref(less));
    } else {
        in_x = std::upper_bound(x, x_end, *in_y, std::ref(less));
    }
    const Out middle = out + (in_x - x) + (in_y - y);
    parallel_invoke([&] { merge_by_all(x, in_x, y, in_y, out, less); },
                    [&] { merge_by_all(in_x, x_end, in_y, y_end, middle, less); });
}

// Sorts the n elements of `buffer` into `here` (levels odd) or within `buffer` (levels even).
template <class It, class T, class Less>
void merge_sort_part(It here, T* buffer, std::ptrdiff_t n, int levels, Less& less)
{
    if (levels == 0) {
        std::stable_sort(buffer, buffer + n, std::ref(less));
        return;
    }
    const std::ptrdiff_t half = n / 2;
    parallel_invoke(
        [&] { merge_sort_part(here, buffer, half, levels - 1, less); },
        [&] { merge_sort_part(here + half, buffer + half, n - half, levels - 1, less); });
    if (levels % 2 != 0) {
        merge_by_all(buffer, buffer + half, buffer + half, buffer + n, here, less);
    } else {
        merge_by_all(here, here + half, here + half, here + n, buffer, less);
    }
}

// Elements moved out of a sequence into memory of their own.
template <class T>
class sort_buffer {
public:
    template <class It>
    sort_buffer(It first, std::ptrdiff_t n) : size_(n)
    {
        parallel_for(blocked_range<std::ptrdiff_t>(0, n),
                     [&](const blocked_range<std::ptrdiff_t>& part) {
                         std::uninitialized_move(first + part.begin(), first + part.end(),
                                                 memory_.get() + part.begin());
                     });
    }
    sort_buffer(const sort_buffer&) = delete;
    sort_buffer& operator=(const sort_buffer&) = delete;
    ~sort_buffer()
    {
        if constexpr (!std::is_trivially_destructible_v<T>) {
            parallel_for(blocked_range<std::ptrdiff_t>(0, size_),
                         [&](const blocked_range<std::ptrdiff_t>& part) {
                             std::destroy(memory_.get() + part.begin(), memory_.get() + part.end());
                         });
        }
    }
    T* data() noexcept { return memory_.get(); }

private:
    struct give_back {
        std::ptrdiff_t count;
        void operator()(T* p) const noexcept
        {
            std::allocator<T>().deallocate(p, static_cast<std::size_t>(count));
        }
    };
    std::ptrdiff_t size_;
    std::unique_ptr<T, give_back> memory_{
        std::allocator<T>().allocate(static_cast<std::size_t>(size_)), give_back{size_}};
};

template <class It, class Less>
void merge_sort(It first, It last, Less& less)
{
    using value = std::iter_value_t<It>;
    const std::ptrdiff_t n = last - first;
    // If a move threw, elements would be left in the buffer, unreachable for the caller.
    if (n <= stably_sorted_alone || num_threads() == 1 ||
        !std::is_nothrow_move_constructible_v<value>) {
        std::stable_sort(first, last, std::ref(less));
        return;
    }
    // Several leaves for each worker, since they take different times.
    const std::ptrdiff_t leaf = std::max<std::ptrdiff_t>(stably_sorted_alone / 2,
                                                         n / (8 * std::ptrdiff_t{num_threads()}));
    int levels = 1;
    while (n >> levels > leaf) {
        levels += 2;
    }
    sort_buffer<value> buffer(first, n);
    merge_sort_part(first, buffer.data(), n, levels, less);
}

}  // namespace artel::detail
