// Which iterations of a loop have been run, and iterations that take their time.
#pragma once

#include "support.hpp"

#include <algorithm>
#include <artel/artel.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <mutex>
#include <utility>
#include <vector>

namespace test {

// How often each index of [0, n) was run.
class hits {
public:
    explicit hits(std::size_t n) : of_(n) {}
    void add(std::size_t i) { of_.at(i).fetch_add(1, std::memory_order_relaxed); }
    long at_most_once_each() const
    {
        long sum = 0;
        for (std::size_t i = 0; i < of_.size(); ++i) {
            const int n = of_[i].load(std::memory_order_relaxed);
            EXPECT_LE(n, 1) << "iteration " << i;
            sum += n;
        }
        return sum;
    }

private:
    std::vector<std::atomic<int>> of_;
};

// The pieces that bodies were called with.
class pieces {
public:
    using range = artel::blocked_range<std::int64_t>;
    void add(const range& r)
    {
        const std::scoped_lock hold(lock_);
        all_.emplace_back(r.begin(), r.end());
    }
    // Whether they overlap nowhere, and how many iterations they are.
    std::int64_t without_overlap()
    {
        std::sort(all_.begin(), all_.end());
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            EXPECT_LT(all_[i].first, all_[i].second);
            EXPECT_TRUE(i == 0 || all_[i - 1].second <= all_[i].first) << "at " << all_[i].first;
            sum += all_[i].second - all_[i].first;
        }
        return sum;
    }

private:
    std::mutex lock_;
    std::vector<std::pair<std::int64_t, std::int64_t>> all_;
};

// A short delay for some iterations, a long one for few, none for most.
inline void dawdle(std::size_t i, std::uint64_t seed)
{
    delays some(seed * 1000003 + i);
    if (const auto die = some.next(64).count(); die == 0) {
        work_for(std::chrono::microseconds(20));
    } else if (die < 4) {
        work_for(some.next(2000));
    }
}

}  // namespace test
