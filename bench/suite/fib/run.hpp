// Fork-join fib: a task for nearly every call, with a few instructions of work each. Prints the
// time per spawn.
#pragma once

#include <cstdint>

#include "../session.hpp"

namespace artel::bench {

template <class Competitor>
std::uint64_t fork_fib(Competitor& competitor, long n)
{
    if (n < 2)
        return static_cast<std::uint64_t>(n);
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    competitor.both([&] { left = fork_fib(competitor, n - 1); },
                    [&] { right = fork_fib(competitor, n - 2); });
    return left + right;
}

inline std::uint64_t fib(long n)
{
    std::uint64_t before = 0;
    std::uint64_t now = 1;
    for (long i = 0; i < n; ++i) {
        const std::uint64_t next = before + now;
        before = now;
        now = next;
    }
    return before;
}

template <class Competitor>
void run_fib(const session& s, Competitor& competitor)
{
    if constexpr (requires { competitor.both([] {}, [] {}); }) {
        for (const long n : s.sizes({20}, {16, 20, 24, 28}, {12, 16, 20, 24, 28, 32})) {
            std::uint64_t found = 0;
            const auto once = [&] { competitor.root([&] { found = fork_fib(competitor, n); }); };
            once();
            s.verify(found == fib(n), "fib(" + std::to_string(n) + ")");
            // fib(n + 1) - 1 calls with n >= 2.
            s.sample("fib", n, once, static_cast<double>(fib(n + 1) - 1), "ns");
            s.verify(found == fib(n), "fib(" + std::to_string(n) + ")");
        }
    }
}

}  // namespace artel::bench
