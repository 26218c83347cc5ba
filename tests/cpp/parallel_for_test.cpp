// parallel_for: every iteration once, under all partitioners and ways to call it.
#include "support.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <limits>
#include <numeric>
#include <ranges>
#include <string>
#include <thread>

namespace {

// Before main(): the first loop of the process, which makes the crew.
const int errno_after_the_first_loop = [] {
    errno = 77;
    artel::parallel_for(0, 1000, [](int) {});
    return errno;
}();

}  // namespace

TEST(parallel_for, the_first_one_leaves_errno_alone)
{
    EXPECT_EQ(errno_after_the_first_loop, 77);
}

TEST(parallel_for, runs_every_iteration_once)
{
    test::with_partitioners([](const auto& how) {
        for (const int n : {0, 1, 2, 3, 10, 63, 64, 65, 1000, 12345}) {
            test::counted c(static_cast<std::size_t>(n));
            artel::parallel_for(0, n, [&](int i) { c.hit(static_cast<std::size_t>(i)); }, how);
            c.expect(1);
        }
    });
}

// Short loops from one place are soon run by the caller alone; what it has learned there must not
// matter but for speed.
TEST(parallel_for, what_was_learned_at_a_place_may_be_wrong)
{
    int heavy = -1;  // the iteration that takes long
    int throwing = -1;
    test::counted* now = nullptr;
    const auto loop = [&](int n) {
        test::counted c(static_cast<std::size_t>(n));
        now = &c;
        artel::parallel_for(0, n, [&](int i) {
            if (i == throwing) {
                throw i;
            }
            now->hit(static_cast<std::size_t>(i));
            if (i == heavy) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
        });
        c.expect(1);
    };
    for (int round = 0; round < 3; ++round) {
        for (const int n : {200, 3, 17, 100, 8, 9, 200, 64}) {
            for (int i = 0; i < 20; ++i) {
                loop(n);
            }
            for (heavy = 0; heavy < n; heavy += n / 3) {
                loop(n);
            }
            heavy = -1;
            for (throwing = 0; throwing < n; throwing += n / 3) {
                EXPECT_THROW(loop(n), int);
            }
            throwing = -1;
        }
        loop(1000000);
    }
}

TEST(parallel_for, takes_any_integer_type_and_iterators)
{
    std::atomic<long> sum{0};
    artel::parallel_for(std::uint8_t{250}, std::uint8_t{255}, [&](std::uint8_t i) { sum += i; });
    EXPECT_EQ(sum, 250 + 251 + 252 + 253 + 254);
    sum = 0;
    artel::parallel_for(-3, 4, [&](int i) { sum += i; });
    EXPECT_EQ(sum, 0);
    std::atomic<unsigned> high{0};
    const auto last = std::numeric_limits<std::uint64_t>::max();
    artel::parallel_for(last - 5, last, [&](std::uint64_t i) { high += i >= last - 5 ? 1 : 0; });
    EXPECT_EQ(high, 5u);
    std::vector<int> v(1000, 1);
    artel::parallel_for(v.begin(), v.end(), [](auto at) { *at += 1; });
    EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 2000);
}

TEST(parallel_for, an_inverted_range_is_empty)
{
    bool called = false;
    artel::parallel_for(5, 3, [&](int) { called = true; });
    artel::parallel_for(5u, 3u, [&](unsigned) { called = true; });
    EXPECT_FALSE(called);
}

TEST(parallel_for, goes_over_blocks_that_make_up_the_range)
{
    test::with_partitioners([](const auto& how) {
        test::counted c(5000);
        artel::parallel_for(
            artel::blocked_range<std::size_t>(0, 5000),
            [&](const auto& block) {
                ASSERT_FALSE(block.empty());
                for (const std::size_t i : std::views::iota(block.begin(), block.end())) {
                    c.hit(i);
                }
            },
            how);
        c.expect(1);
    });
}

TEST(parallel_for, no_grain_makes_an_empty_piece)
{
    for (const std::int64_t grain :
         {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
        for (const int n : {1, 2, 3, 5, 7, 8, 9, 100}) {
            // the first loop teaches how long it takes.
            for (int repeat = 0; repeat < 20; ++repeat) {
                std::atomic<int> ran{0};
                std::atomic<bool> empty{false};
                artel::parallel_for(
                    artel::blocked_range<int>(0, n),
                    [&](const artel::blocked_range<int>& r) {
                        ran += r.end() - r.begin();
                        empty = empty || r.begin() >= r.end();
                    },
                    artel::automatic{.grain = grain});
                ASSERT_EQ(ran, n);
                ASSERT_FALSE(empty) << n << " iterations, grain " << grain;
            }
        }
    }
}

TEST(parallel_for, simple_keeps_to_the_grain)
{
    artel::parallel_for(
        artel::blocked_range<int>(0, 1000),
        [&](const auto& block) { EXPECT_LE(block.size(), 16u); }, artel::simple{.grain = 16});
}

TEST(parallel_for, goes_over_elements)
{
    std::vector<std::string> words(500, "a");
    artel::parallel_for(words, [](std::string& w) { w += "b"; });
    for (const std::string& w : words) {
        ASSERT_EQ(w, "ab");
    }
    std::array<int, 3> numbers{1, 2, 3};
    artel::parallel_for(std::span(numbers), [](int& n) { n *= 2; }, artel::static_{});
    EXPECT_EQ(numbers, (std::array<int, 3>{2, 4, 6}));
}

TEST(parallel_for, runs_more_iterations_than_fit_into_32_bits)
{
    const std::int64_t n = (std::int64_t{1} << 33) + 12345;
    std::atomic<std::int64_t> covered{0};
    std::atomic<std::int64_t> last{0};
    artel::parallel_for(artel::blocked_range<std::int64_t>(0, n), [&](const auto& block) {
        covered += static_cast<std::int64_t>(block.size());
        if (block.end() == n) {
            last += 1;
        }
    });
    EXPECT_EQ(covered, n);
    EXPECT_EQ(last, 1);
}
