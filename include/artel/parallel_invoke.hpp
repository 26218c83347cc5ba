// parallel_invoke(f, g, ...): calls the functions, possibly at the same time, and returns when all
// are done.
#pragma once

#include <artel/detail/fork_join.hpp>
#include <type_traits>
#include <utility>

namespace artel {
namespace detail {

template <class F>
struct invoke_task : task {
    explicit invoke_task(F& f) noexcept : task(execute), function(f) {}
    static void execute(task& t) { static_cast<invoke_task&>(t).function(); }
    F& function;
};

}  // namespace detail

// The caller and free workers make the calls; the caller begins with the first. Waits for all of
// them, suspended, so that its worker does other work. If a call throws, those that have not begun
// are dropped, and one of the exceptions (that of the function named first) reaches the caller when
// the others have ended. Any context, nested or concurrent. Allocates nothing.
template <class F>
void parallel_invoke(F&& f)
{
    std::forward<F>(f)();
}

template <class F, class G>
void parallel_invoke(F&& f, G&& g)
{
    detail::invoke_task<std::remove_reference_t<G>> second(g);
    const detail::leave_later at_end{detail::spawn(second)};
    try {
        f();
    } catch (...) {
        if (!detail::reclaim(second)) {
            second.done.wait();
        }
        throw;
    }
    if (detail::reclaim(second)) {
        g();
        return;
    }
    second.done.wait();
    if (second.error) {
        std::rethrow_exception(std::move(second.error));
    }
}

template <class F, class G, class... More>
void parallel_invoke(F&& f, G&& g, More&&... more)
{
    parallel_invoke(f, [&] { parallel_invoke(g, more...); });
}

}  // namespace artel
