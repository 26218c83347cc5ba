// parallel_sort, in place and not stable, and parallel_stable_sort, with a buffer as large as the
// sequence.
//
// Common to both. The comparison is called by several threads at a time; it must be a strict weak
// order, as for std::sort. If it or a move throws, one exception reaches the caller when all others
// have stopped, and the elements are valid but unspecified, as with std::sort. The caller sorts
// short sequences alone. Switches as parallel_invoke does.
#pragma once

#include <algorithm>
#include <artel/detail/merge_sort.hpp>
#include <artel/detail/quick_sort.hpp>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>

namespace artel {
namespace detail {

// Calls sort(less), a member function as a function of two elements.
template <class Less, class Sort>
void with_comparison(Less& less, const Sort& sort)
{
    if constexpr (std::is_member_pointer_v<Less>) {
        auto function = std::mem_fn(less);
        sort(function);
    } else {
        sort(less);
    }
}

}  // namespace detail

// Sorts [first, last). Allocates nothing; about n log n comparisons, whatever the initial order.
template <std::random_access_iterator It, class Less = std::less<>>
    requires std::sortable<It, std::reference_wrapper<std::remove_reference_t<Less>>>
void parallel_sort(It first, It last, Less&& less = {})
{
    detail::with_comparison(less, [&](auto& f) { detail::quick_sort(first, last, f); });
}

template <std::ranges::random_access_range R, class Less = std::less<>>
    requires std::sortable<std::ranges::iterator_t<R>,
                           std::reference_wrapper<std::remove_reference_t<Less>>> &&
             std::ranges::common_range<R>
void parallel_sort(R&& elements, Less&& less = {})
{
    parallel_sort(std::ranges::begin(elements), std::ranges::end(elements), less);
}

// Sorts [first, last); elements of which none is less than the other stay in their order. Throws
// std::bad_alloc, with nothing changed, when there is no memory for the buffer. If moves may throw
// the caller sorts alone.
template <std::random_access_iterator It, class Less = std::less<>>
    requires std::sortable<It, std::reference_wrapper<std::remove_reference_t<Less>>>
void parallel_stable_sort(It first, It last, Less&& less = {})
{
    detail::with_comparison(less, [&](auto& f) { detail::merge_sort(first, last, f); });
}

template <std::ranges::random_access_range R, class Less = std::less<>>
    requires std::sortable<std::ranges::iterator_t<R>,
                           std::reference_wrapper<std::remove_reference_t<Less>>> &&
             std::ranges::common_range<R>
void parallel_stable_sort(R&& elements, Less&& less = {})
{
    parallel_stable_sort(std::ranges::begin(elements), std::ranges::end(elements), less);
}

}  // namespace artel
