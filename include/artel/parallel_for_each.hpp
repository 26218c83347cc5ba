// parallel_for_each: a loop over a sequence without random access, such as a list or input stream,
// or one that grows while the loop runs.
#pragma once

#include <algorithm>
#include <artel/parallel_for.hpp>
#include <artel/task_group.hpp>
#include <artel/workers.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

namespace artel {

template <class T>
class feeder;

namespace detail {

template <class Body, class T>
concept feeding_body = std::invocable<Body&, T, feeder<std::remove_cvref_t<T>>&>;
template <class Body, class T>
concept plain_body = std::invocable<Body&, T>;
// Elements that the loop owns are passed as rvalues to bodies that take rvalues, else as lvalues.
template <class Body, class T>
concept element_body = plain_body<Body, T> || feeding_body<Body, T> ||
                       (std::is_rvalue_reference_v<T> &&
                        (plain_body<Body, std::remove_reference_t<T>&> ||
                         feeding_body<Body, std::remove_reference_t<T>&>));

// Elements per task: few, since their costs are unknown.
inline constexpr std::size_t elements_of_task = 8;

template <class T, class Body>
void call_body(T&& element, Body& body, task_group& group);

}  // namespace detail

// Lets a body add elements. `T`: the element type of the sequence. Valid until the body that it was
// given to returns; until then other threads may use it, too.
template <class T>
class feeder {
public:
    feeder(const feeder&) = delete;
    feeder& operator=(const feeder&) = delete;

    // Adds an element, for which the same body is called before the loop ends, in no particular
    // order. Throws std::bad_alloc or what moving the element throws. Does not switch.
    void add(T element) { add_(*this, std::move(element)); }

private:
    template <class U, class Body>
    friend void detail::call_body(U&& element, Body& body, task_group& group);

    feeder(void (*how)(feeder&, T&&), task_group& group, void* body) noexcept
        : add_(how), group_(group), body_(body)
    {}

    void (*add_)(feeder&, T&&);
    task_group& group_;
    void* body_;
};

namespace detail {

template <class T, class Body>
void call_body(T&& element, Body& body, task_group& group)
{
    using value = std::remove_cvref_t<T>;
    if constexpr (!plain_body<Body, T> && !feeding_body<Body, T>) {
        call_body<value&>(element, body, group);
    } else if constexpr (feeding_body<Body, T>) {
        const auto add = [](feeder<value>& to, value&& more) {
            Body& same = *static_cast<Body*>(to.body_);
            to.group_.run([&same, &in = to.group_, more = std::move(more)]() mutable {
                call_body(std::move(more), same, in);
            });
        };
        feeder<value> feed(add, group,
                           const_cast<void*>(static_cast<const void*>(std::addressof(body))));
        detail::call(body, std::forward<T>(element), feed);
    } else {
        detail::call(body, std::forward<T>(element));
    }
}

// Spawns the task; or calls it at once when so many are queued that more would only use memory.
template <class Task>
void run_or_call(task_group& group, std::uint32_t most, Task&& task)
{
    if (tasks_left(group) < most) {
        group.run(std::forward<Task>(task));
    } else {
        task();
    }
}
inline std::uint32_t most_tasks_ahead() noexcept
{
    return 1024 * num_threads();
}

// Elements stay in place: several threads may walk the sequence at a time.
template <std::forward_iterator It, std::sentinel_for<It> End, class Body>
void walk(It first, End last, Body& body, task_group& group)
{
    const std::uint32_t most = most_tasks_ahead();
    while (first != last && !group.is_cancelled()) {
        const It begin = first;
        std::size_t n = 0;
        for (; n < elements_of_task && first != last; ++n) {
            ++first;
        }
        run_or_call(group, most, [begin, n, &body, &group] {
            It at = begin;
            for (std::size_t i = 0; i < n && !group.is_cancelled(); ++i, ++at) {
                call_body(*at, body, group);
            }
        });
    }
}

// Elements are moved out one by one, each with a task of its own, because reading the next one may
// take long.
template <std::input_iterator It, std::sentinel_for<It> End, class Body>
    requires(!std::forward_iterator<It>)
void walk(It first, End last, Body& body, task_group& group)
{
    const std::uint32_t most = most_tasks_ahead();
    for (; first != last && !group.is_cancelled(); ++first) {
        run_or_call(group, most,
                    [element = std::iter_value_t<It>(*first), &body, &group]() mutable {
                        call_body(std::move(element), body, group);
                    });
    }
}

template <std::input_iterator It, std::sentinel_for<It> End, class Body>
void for_each_element(It first, End last, Body& body)
{
    using reference = std::iter_reference_t<It>;
    if constexpr (std::random_access_iterator<It> && std::sized_sentinel_for<End, It> &&
                  std::invocable<Body&, reference>) {
        // Differences may have a type that is no loop_index, as those of std::views::iota(0L).
        auto each = [first, &body](std::int64_t i) {
            detail::call(body, first[static_cast<std::iter_difference_t<It>>(i)]);
        };
        for_each_index(std::int64_t{0}, counted(last - first), each, automatic{}, nullptr);
    } else {
        task_group group;
        walk(std::move(first), std::move(last), body, group);
        group.wait();
    }
}

// The argument type of the body: elements in place or, for an input iterator, moved out.
template <class It>
struct walked {
    using type = std::iter_value_t<It>&&;
};
template <std::forward_iterator It>
struct walked<It> {
    using type = std::iter_reference_t<It>;
};
template <class It>
using walked_t = typename walked<It>::type;

}  // namespace detail

// body(element), or body(element, feed) to add further ones by feed.add(x): for every element of
// [first, last) and every one that was added. The caller walks the sequence while others work on
// it, so the sequence must not change, and its iterators must stay valid, until the call returns.
// The loop owns added elements and those of input iterators; a body that takes rvalues may move
// from them.
//
// If a body throws, elements that have not begun are dropped, and the first exception reaches the
// caller when all others have stopped. Throws std::bad_alloc and what iterators throw. The body is
// called by several threads at a time. Allocates a task for each 8 elements, or for each added one,
// and has at most some thousands of tasks queued; for a sequence with random access and a body that
// adds nothing it is a parallel_for. Switches.
template <std::input_iterator It, std::sentinel_for<It> End, class Body>
    requires detail::element_body<Body, detail::walked_t<It>>
void parallel_for_each(It first, End last, Body&& body)
{
    detail::for_each_element(std::move(first), std::move(last), body);
}

// The same for a container or view.
template <std::ranges::input_range R, class Body>
    requires detail::element_body<Body, detail::walked_t<std::ranges::iterator_t<R>>>
void parallel_for_each(R&& elements, Body&& body)
{
    detail::for_each_element(std::ranges::begin(elements), std::ranges::end(elements), body);
}

}  // namespace artel
