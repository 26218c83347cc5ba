// The example of a scheduler plug-in (examples/plugin), under a library as such use it: a histogram
// with an array per worker, a merge sort by par_do, and a table behind a lock that is filled in
// parallel.
#include "support.hpp"

#include "../../examples/plugin/artel_scheduler.h"

#include <algorithm>
#include <mutex>
#include <numeric>

namespace {

std::vector<unsigned> numbers(std::size_t n)
{
    std::vector<unsigned> made(n);
    std::uint32_t state = 12345;
    for (unsigned& x : made) {
        state = state * 1664525u + 1013904223u;
        x = state >> 12;
    }
    return made;
}

struct alignas(64) own_counts {
    std::array<unsigned, 16> of{};
};

TEST(plugin, arrays_per_worker_need_no_lock)
{
    const std::vector<unsigned> input = numbers(100000);
    std::vector<own_counts> counts(scheduler::max_workers());
    scheduler::parallel_for(
        0, input.size(), [&](std::size_t i) { ++counts[scheduler::worker_id()].of[input[i] % 16]; },
        100);
    std::array<unsigned, 16> expected{};
    for (const unsigned x : input) {
        ++expected[x % 16];
    }
    std::array<unsigned, 16> sum{};
    for (const own_counts& c : counts) {
        for (std::size_t i = 0; i < 16; ++i) {
            sum[i] += c.of[i];
        }
    }
    EXPECT_EQ(sum, expected);
}

void sort(unsigned* begin, unsigned* end)
{
    if (end - begin < 500) {
        std::sort(begin, end);
        return;
    }
    unsigned* const middle = begin + (end - begin) / 2;
    scheduler::par_do([=] { sort(begin, middle); }, [=] { sort(middle, end); });
    std::inplace_merge(begin, middle, end);
}

TEST(plugin, par_do_recurses)
{
    std::vector<unsigned> input = numbers(50000);
    scheduler::with_workers(2, [&] { sort(input.data(), input.data() + input.size()); });
    EXPECT_TRUE(std::is_sorted(input.begin(), input.end()));
}

TEST(plugin, who_holds_a_lock_waits_conservatively)
{
    std::mutex lock;
    std::vector<int> table;
    const auto look_up = [&](std::size_t size) {
        const std::scoped_lock hold(lock);
        if (table.size() < size) {
            table.resize(size);
            scheduler::parallel_for(
                0, size, [&](std::size_t i) { table[i] = static_cast<int>(i); }, 1, true);
        }
        return table[size - 1];
    };
    // Any of them may be the one that the OS thread of the one with the lock would meet.
    for (std::size_t round = 1; round < 20; ++round) {
        scheduler::parallel_for(0, 20, [&](std::size_t i) {
            EXPECT_EQ(look_up(100 * round + i), static_cast<int>(100 * round + i) - 1);
        });
    }
}

}  // namespace
