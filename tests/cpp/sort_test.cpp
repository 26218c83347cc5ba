// parallel_sort and parallel_stable_sort beside std::sort and std::stable_sort: orders, duplicates,
// elements that can only be moved, comparisons that throw.
#include "support.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <utility>

namespace {

enum class order {
    random,
    up,
    down,
    down_in_pairs,
    few_keys,
    all_equal,
    organ_pipe,
    nearly_sorted,
    ends
};

std::vector<int> numbers(order how, std::size_t n)
{
    std::mt19937 random(static_cast<unsigned>(n) * 31 + static_cast<unsigned>(how));
    std::vector<int> v(n);
    for (std::size_t i = 0; i < n; ++i) {
        const int at = static_cast<int>(i);
        const int size = static_cast<int>(n);
        switch (how) {
        case order::random: v[i] = static_cast<int>(random()); break;
        case order::up:
        case order::nearly_sorted: v[i] = at; break;
        case order::down: v[i] = -at; break;
        case order::down_in_pairs: v[i] = -at / 2; break;
        case order::few_keys: v[i] = static_cast<int>(random() % 5); break;
        case order::all_equal: v[i] = 7; break;
        case order::organ_pipe: v[i] = std::min(at, size - at); break;
        case order::ends: break;
        }
    }
    if (how == order::nearly_sorted) {
        for (std::size_t i = 0; i < n / 100; ++i) {
            std::swap(v[random() % n], v[random() % n]);
        }
    }
    return v;
}

constexpr std::array<std::size_t, 14> all_sizes{0,    1,    2,     3,      100,    4095,   4096,
                                                4097, 8192, 50000, 131073, 262144, 600000, 1500000};

// The largest in one order only, and none of them under ThreadSanitizer, which takes a minute for
// them.
std::span<const std::size_t> sizes([[maybe_unused]] order how)
{
#ifdef __SANITIZE_THREAD__
    constexpr std::size_t left_out = 2;
#else
    const std::size_t left_out = how == order::random ? 0 : 1;
#endif
    return std::span(all_sizes).first(all_sizes.size() - left_out);
}

TEST(parallel_sort, is_as_std_sort_in_every_order)
{
    for (int how = 0; how < static_cast<int>(order::ends); ++how) {
        for (const std::size_t n : sizes(static_cast<order>(how))) {
            std::vector<int> mine = numbers(static_cast<order>(how), n);
            std::vector<int> right = mine;
            std::sort(right.begin(), right.end());
            artel::parallel_sort(mine);
            ASSERT_EQ(mine, right) << "order " << how << ", " << n << " elements";
        }
    }
}

TEST(parallel_sort, sees_what_is_in_order_or_in_reverse)
{
    constexpr std::size_t n = 200000;
    for (const order how : {order::up, order::down}) {
        std::vector<int> v = numbers(how, n);
        std::atomic<std::size_t> comparisons{0};
        artel::parallel_sort(v, [&](int a, int b) {
            comparisons.fetch_add(1, std::memory_order_relaxed);
            return a < b;
        });
        EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
        // With one thread the work is std::sort's.
        if (artel::num_threads() > 1) {
            EXPECT_LT(comparisons.load(), 2 * n);
        }
    }
}

TEST(parallel_sort, takes_any_comparison_and_random_access_iterator)
{
    std::vector<int> v = numbers(order::random, 300000);
    std::deque<int> mine(v.begin(), v.end());
    std::sort(v.begin(), v.end(), std::greater<>());
    artel::parallel_sort(mine.begin(), mine.end(), std::greater<>());
    EXPECT_TRUE(std::equal(mine.begin(), mine.end(), v.begin(), v.end()));
    artel::parallel_sort(mine.begin(), mine.begin() + 200000, [](int& a, int& b) { return a < b; });
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.begin() + 200000));
    EXPECT_TRUE(std::equal(mine.begin() + 200000, mine.end(), v.begin() + 200000, v.end()));
}

TEST(parallel_sort, moves_what_can_only_be_moved)
{
    const std::vector<int> v = numbers(order::random, 200000);
    std::vector<std::unique_ptr<int>> mine;
    for (const int x : v) {
        mine.push_back(std::make_unique<int>(x));
    }
    const auto less = [](const auto& a, const auto& b) { return *a < *b; };
    auto again = [&](auto sort) {
        std::shuffle(mine.begin(), mine.end(), std::mt19937(3));
        sort();
        ASSERT_TRUE(std::none_of(mine.begin(), mine.end(), [](const auto& p) { return !p; }));
        ASSERT_TRUE(std::is_sorted(mine.begin(), mine.end(), less));
    };
    again([&] { artel::parallel_sort(mine, less); });
    again([&] { artel::parallel_stable_sort(mine, less); });
}

TEST(parallel_stable_sort, is_as_std_stable_sort_in_every_order)
{
    using element = std::pair<int, std::size_t>;  // key, place before
    const auto less = [](const element& a, const element& b) { return a.first < b.first; };
    for (int how = 0; how < static_cast<int>(order::ends); ++how) {
        for (const std::size_t n : sizes(static_cast<order>(how))) {
            const std::vector<int> keys = numbers(static_cast<order>(how), n);
            std::vector<element> mine;
            for (std::size_t i = 0; i < n; ++i) {
                mine.emplace_back(keys[i] / 16, i);
            }
            std::vector<element> right = mine;
            std::stable_sort(right.begin(), right.end(), less);
            artel::parallel_stable_sort(mine, less);
            ASSERT_EQ(mine, right) << "order " << how << ", " << n << " elements";
        }
    }
}

TEST(parallel_stable_sort, destroys_all_that_it_has_made)
{
    std::vector<std::string> mine;
    for (const int x : numbers(order::random, 100000)) {
        mine.push_back("a string that is too long to lie in the object itself: " +
                       std::to_string(x));
    }
    std::vector<std::string> right = mine;
    std::stable_sort(right.begin(), right.end());
    artel::parallel_stable_sort(mine);
    EXPECT_EQ(mine, right);
}

// An adversary for quicksort: whatever the pivots are, they are among the least that remain. The
// sort must end, and not in n^2.
TEST(parallel_sort, survives_an_adversary)
{
#ifdef __SANITIZE_THREAD__
    constexpr int n = 50000;
#else
    constexpr int n = 200000;
#endif
    constexpr int gas = n - 1;
    std::vector<std::atomic<int>> value(n);
    for (auto& v : value) {
        v = gas;
    }
    std::mutex one_at_a_time;
    int solid = 0;
    int candidate = 0;
    std::size_t comparisons = 0;
    const auto less = [&](int a, int b) {
        const std::scoped_lock hold(one_at_a_time);
        ++comparisons;
        if (value[a] == gas && value[b] == gas) {
            value[a == candidate ? a : b] = solid++;
        }
        candidate = value[a] == gas ? a : value[b] == gas ? b : candidate;
        return value[a] < value[b];
    };
    std::vector<int> items(n);
    for (int i = 0; i < n; ++i) {
        items[i] = i;
    }
    artel::parallel_sort(items, less);
    EXPECT_TRUE(std::is_sorted(items.begin(), items.end(),
                               [&](int a, int b) { return value[a] < value[b]; }));
    EXPECT_LT(comparisons, std::size_t{40} * n * 18);
}

TEST(parallel_sort, passes_an_exception_on_and_keeps_every_element_valid)
{
    for (const bool stable : {false, true}) {
        for (const int at : {1, 1000, 300000, 2000000}) {
            std::vector<int> mine = numbers(order::random, 400000);
            std::atomic<int> calls{0};
            const auto less = [&](int a, int b) {
                if (calls.fetch_add(1, std::memory_order_relaxed) == at) {
                    throw test::failure(at);
                }
                return a < b;
            };
            try {
                stable ? artel::parallel_stable_sort(mine, less) : artel::parallel_sort(mine, less);
                ADD_FAILURE() << "nothing was thrown";
            } catch (const test::failure& f) {
                EXPECT_EQ(f.number, at);
            }
        }
    }
}

TEST(parallel_sort, runs_inside_of_loops_and_on_many_threads)
{
    test::on_threads(4, [&](unsigned seed) {
        artel::parallel_for(0u, 4u, [&](unsigned i) {
            std::vector<int> mine = numbers(order::random, 150000 + 1000 * i + seed);
            artel::parallel_sort(mine);
            EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
            std::vector<int> stable = numbers(order::few_keys, 60000 + 1000 * i + seed);
            artel::parallel_stable_sort(stable);
            EXPECT_TRUE(std::is_sorted(stable.begin(), stable.end()));
        });
    });
}

}  // namespace
