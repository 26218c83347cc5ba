// Work that several tests start: something on all workers at once, and calls that fork.
#pragma once

#include "support.hpp"

#include <artel/artel.hpp>

namespace test {

// Calls f(place) on every worker at once, as far as they come.
template <class F>
void on_all_workers(F f)
{
    artel::parallel_for(0, static_cast<int>(workers()), f);
}

// Calls two calls of itself at once: work that forks.
inline long fib(int n)
{
    if (n < 2) {
        return n;
    }
    long left = 0;
    long right = 0;
    artel::parallel_invoke([&] { left = fib(n - 1); }, [&] { right = fib(n - 2); });
    return left + right;
}

}  // namespace test
