// Several threads of the program at once, each of which executes loops over blocks of its own
// array. Sizes are numbers of such threads. Prints the time in which each has executed one loop,
// that is, of as many loops as there are threads.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "../reduce/reduce.h"
#include "../session.hpp"

namespace artel::bench {

template <class Competitor>
void run_threads(const session& s, Competitor& competitor)
{
    constexpr long numbers = 256 * 1024;  // of each thread
    constexpr int loops = 16;
    for (const long count : s.sizes({2}, {1, 2, 4}, {1, 2, 4, 8, 16})) {
        std::vector<std::unique_ptr<reduce, void (*)(reduce*)>> problems;
        for (long i = 0; i < count; ++i)
            problems.emplace_back(reduce_make(numbers, 1024), reduce_free);
        // The loops take much longer than starting the threads.
        const auto once = [&] {
            std::vector<std::jthread> threads;
            for (const auto& each : problems)
                threads.emplace_back([&competitor, problem = each.get()] {
                    for (int turn = 0; turn < loops; ++turn)
                        competitor.each(reduce_blocks(problem),
                                        [problem](long block) { reduce_block(problem, block); });
                });
        };
        const auto check = [&] {
            for (const auto& each : problems)
                reduce_forget(each.get());
            once();
            for (const auto& each : problems)
                s.verify(reduce_total(each.get()) == reduce_expected(each.get()), "a thread's sum");
        };
        check();
        s.sample("threads", count, once, loops);
        check();
    }
}

}  // namespace artel::bench
