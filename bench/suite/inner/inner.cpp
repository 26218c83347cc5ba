// A step is a plain increment, so short that the cost of the loop around it dominates. The counters
// show afterwards whether each step ran once in each turn.
#include "inner.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

constexpr std::size_t numbers = 4096;

}  // namespace

struct inner {
    std::vector<std::vector<long>> places;
};

inner* inner_make(long places)
{
    return new inner{std::vector<std::vector<long>>(static_cast<std::size_t>(places),
                                                    std::vector<long>(numbers))};
}

void inner_free(inner* problem)
{
    delete problem;
}

void inner_step(inner* problem, long place, long i)
{
    ++problem->places[static_cast<std::size_t>(place)][static_cast<std::size_t>(i)];
}

void inner_forget(inner* problem)
{
    for (auto& place : problem->places)
        std::fill(place.begin(), place.end(), 0);
}

int inner_right(const inner* problem, long steps, long turns)
{
    for (const auto& place : problem->places)
        for (std::size_t i = 0; i < numbers; ++i)
            if (place[i] != (static_cast<long>(i) < steps ? turns : 0))
                return 0;
    return 1;
}
