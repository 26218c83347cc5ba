// Scan: all exclusive running totals of an array, in place, by Blelloch's up-sweep and down-sweep:
// 2 log2(N) loops, of N/2 iterations down to 1, each a few instructions. Iterations are inlined in
// every competitor: a call would cost more than they do.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "../session.hpp"

namespace artel::bench {

template <class Competitor>
void scan(Competitor& competitor, std::uint32_t* numbers, long size)
{
    for (long half = 1; half < size; half *= 2)
        competitor.each(size / (2 * half), [numbers, half](long i) {
            std::uint32_t* const last = numbers + (i + 1) * 2 * half - 1;
            *last += last[-half];
        });
    numbers[size - 1] = 0;
    for (long half = size / 2; half > 0; half /= 2)
        competitor.each(size / (2 * half), [numbers, half](long i) {
            std::uint32_t* const last = numbers + (i + 1) * 2 * half - 1;
            const std::uint32_t left = last[-half];
            last[-half] = *last;
            *last += left;
        });
}

template <class Competitor>
void run_scan(const session& s, Competitor& competitor)
{
    for (const long size : s.sizes(
             {1L << 10, 1L << 14, 1L << 18},
             {1L << 10, 1L << 12, 1L << 14, 1L << 16, 1L << 18, 1L << 20, 1L << 22},
             {1L << 10, 1L << 12, 1L << 14, 1L << 16, 1L << 18, 1L << 20, 1L << 22, 1L << 24})) {
        std::vector<std::uint32_t> input(static_cast<std::size_t>(size));
        std::uint32_t number = 1;
        for (std::uint32_t& each : input)
            each = (number = number * 1664525 + 1013904223) >> 16;
        std::vector<std::uint32_t> expected(input.size());
        std::exclusive_scan(input.begin(), input.end(), expected.begin(), std::uint32_t{0});
        std::vector<std::uint32_t> numbers;
        const auto check = [&] {
            numbers = input;
            scan(competitor, numbers.data(), size);
            s.verify(numbers == expected, "running totals of " + std::to_string(size) + " numbers");
        };
        check();
        // Sampled on what the last scan left: the numbers grow and wrap, the work is the same.
        s.sample("scan", size, [&] { scan(competitor, numbers.data(), size); });
        check();
    }
}

}  // namespace artel::bench
