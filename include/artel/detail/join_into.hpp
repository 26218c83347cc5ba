// How reductions put the result of a join in the place of its first argument.
#pragma once

#include <type_traits>
#include <utility>

namespace artel::detail {

// value = join(value, right). A join that returns an rvalue reference may return `value` itself,
// whose move to itself would leave it without its contents: so the result is kept apart.
template <class T, class Join, class Right>
void join_into(T& value, Join& join, Right&& right)
{
    if constexpr (std::is_rvalue_reference_v<decltype(join(std::move(value),
                                                           std::forward<Right>(right)))>) {
        T both(join(std::move(value), std::forward<Right>(right)));
        value = std::move(both);
    } else {
        value = join(std::move(value), std::forward<Right>(right));
    }
}

}  // namespace artel::detail
