// Rounds of a case, and the line that bench/tbb/run reads: name, median and minimum.
#pragma once

#include "../measure/measure.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

inline constexpr int rounds = 15;

// round() returns the figure of one round. The first one is not counted.
inline void print_rounds(const char* name, int digits, const std::function<double()>& round)
{
    round();
    std::vector<double> figures;
    for (int i = 0; i < rounds; ++i) {
        figures.push_back(round());
    }
    std::sort(figures.begin(), figures.end());
    std::printf("%s\t%.*f\t%.*f\n", name, digits, figures[figures.size() / 2], digits,
                figures.front());
    std::fflush(stdout);
}
