// Loops over ranges and boxes through the C interface.
#include "digits.hpp"
#include "support.hpp"

#include <algorithm>
#include <artel.h>
#include <cerrno>
#include <cstdint>
#include <cstring>

using test::append_range;
using test::digits;
using test::join_digits;
using test::no_digits;

namespace {

using counts = std::vector<std::atomic<int>>;

void count_range(void* context, std::int64_t begin, std::int64_t end)
{
    for (auto& of = *static_cast<counts*>(context); begin < end; ++begin) {
        ++of[static_cast<std::size_t>(begin)];
    }
}

bool all_are(const counts& c, int n)
{
    return std::all_of(c.begin(), c.end(), [n](const auto& each) { return each == n; });
}

}  // namespace

TEST(c_loops, every_partitioner_runs_every_iteration_once)
{
    for (int p = ARTEL_AUTOMATIC; p <= ARTEL_TIMESPAN_GRAIN; ++p) {
        for (const int n : {0, 1, 2, 1000}) {
            for (const int grain : {-5, 0, 1, 64}) {
                counts c(static_cast<std::size_t>(n));
                const artel_loop_options how{grain, static_cast<artel_partitioner>(p), nullptr};
                EXPECT_EQ(artel_parallel_for_with(&how, 0, n, count_range, &c), 0);
                EXPECT_TRUE(all_are(c, 1)) << "partitioner " << p << ", " << n << " iterations";
            }
        }
    }
    counts c(100);
    EXPECT_EQ(artel_parallel_for_with(nullptr, 0, 100, count_range, &c), 0);
    EXPECT_TRUE(all_are(c, 1));
}

TEST(c_loops, a_partitioner_that_does_not_exist_is_an_error)
{
    counts c(10);
    for (const int wrong : {9, 1000, -1}) {
        artel_loop_options how{};
        std::memcpy(&how.partitioner, &wrong, sizeof wrong);
        EXPECT_EQ(artel_parallel_for_with(&how, 0, 10, count_range, &c), EINVAL);
        digits d = no_digits;
        EXPECT_EQ(
            artel_parallel_reduce(&how, 0, 10, sizeof d, &d, append_range, join_digits, nullptr),
            EINVAL);
        EXPECT_EQ(d, no_digits);
    }
    EXPECT_TRUE(all_are(c, 0));
}

TEST(c_loops, no_more_at_a_time_than_the_limit)
{
    struct watched {
        std::atomic<int> now{0};
        std::atomic<int> most{0};
    } w;
    const artel_limit two{2, 0, nullptr, nullptr};
    const artel_loop_options how{1, ARTEL_SIMPLE, &two};
    const auto body = [](void* context, std::int64_t, std::int64_t) {
        auto& at = *static_cast<watched*>(context);
        const int now = ++at.now;
        int most = at.most;
        while (most < now && !at.most.compare_exchange_weak(most, now)) {
        }
        artel_sleep_for(1'000'000);
        --at.now;
    };
    EXPECT_EQ(artel_parallel_for_with(&how, 0, 50, body, &w), 0);
    EXPECT_LE(w.most, 2);
}

TEST(c_loops, a_list_of_nodes_without_one_that_exists_is_ignored)
{
    const unsigned nodes[] = {1000, 1001};
    const artel_limit there{0, 2, nodes, nullptr};
    const artel_loop_options how{1, ARTEL_AUTOMATIC, &there};
    counts c(100);
    EXPECT_EQ(artel_parallel_for_with(&how, 0, 100, count_range, &c), 0);
    EXPECT_TRUE(all_are(c, 1));
}

TEST(c_loops, a_requested_stop_ends_the_loop)
{
    artel_stop* const stop = artel_stop_create();
    ASSERT_NE(stop, nullptr);
    EXPECT_EQ(artel_stop_requested(stop), 0);
    const artel_limit until{0, 0, nullptr, stop};
    const artel_loop_options how{1, ARTEL_SIMPLE, &until};
    struct run {
        artel_stop* stop;
        std::atomic<std::int64_t> done{0};
    } r{stop};
    const auto body = [](void* context, std::int64_t begin, std::int64_t end) {
        auto& at = *static_cast<run*>(context);
        artel_stop_request(at.stop);
        at.done += end - begin;
    };
    EXPECT_EQ(artel_parallel_for_with(&how, 0, 1 << 30, body, &r), ECANCELED);
    EXPECT_LT(r.done, 1 << 30);
    EXPECT_EQ(artel_stop_requested(stop), 1);
    digits d = no_digits;
    EXPECT_EQ(
        artel_parallel_reduce(&how, 0, 1000, sizeof d, &d, append_range, join_digits, nullptr),
        ECANCELED);
    EXPECT_EQ(d, no_digits);
    artel_stop_destroy(stop);
    artel_stop_destroy(nullptr);
}

TEST(c_loops, boxes_make_up_all_combinations)
{
    struct cube {
        std::int64_t from[3];
        std::int64_t size[3];
        counts seen;
    };
    for (unsigned dimensions = 1; dimensions <= 3; ++dimensions) {
        for (const std::int64_t grain : {0, 1, 4}) {
            cube c{{-3, 10, 5}, {7, 9, 11}, counts(7 * 9 * 11)};
            artel_side sides[3];
            for (int i = 0; i < 3; ++i) {
                sides[i] = {c.from[i], c.from[i] + c.size[i], grain};
            }
            struct call {
                cube* c;
                unsigned dimensions;
            } k{&c, dimensions};
            const auto body = [](void* context, const artel_side* box) {
                const call& at = *static_cast<call*>(context);
                artel_side b[3] = {{-3, -2, 1}, {10, 11, 1}, {5, 6, 1}};
                std::copy_n(box, at.dimensions, b);
                for (std::int64_t x = b[0].begin; x < b[0].end; ++x) {
                    for (std::int64_t y = b[1].begin; y < b[1].end; ++y) {
                        for (std::int64_t z = b[2].begin; z < b[2].end; ++z) {
                            ++at.c->seen[static_cast<std::size_t>(((x + 3) * 9 + y - 10) * 11 + z -
                                                                  5)];
                        }
                    }
                }
            };
            EXPECT_EQ(artel_parallel_for_box(nullptr, sides, dimensions, body, &k), 0);
            int all = 0;
            for (const auto& n : c.seen) {
                EXPECT_LE(n, 1);
                all += n;
            }
            EXPECT_EQ(all, dimensions == 1 ? 7 : dimensions == 2 ? 63 : 693);
        }
    }
}

TEST(c_loops, boxes_with_wrong_sides_are_errors)
{
    const auto never = [](void*, const artel_side*) { ADD_FAILURE(); };
    const artel_side sides[4] = {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}};
    EXPECT_EQ(artel_parallel_for_box(nullptr, sides, 0, never, nullptr), EINVAL);
    EXPECT_EQ(artel_parallel_for_box(nullptr, sides, 4, never, nullptr), EINVAL);
    const artel_side endless{INT64_MIN, INT64_MAX, 1};
    EXPECT_EQ(artel_parallel_for_box(nullptr, &endless, 1, never, nullptr), EOVERFLOW);
    const artel_side empty[2] = {{0, 10, 1}, {5, 5, 1}};
    EXPECT_EQ(artel_parallel_for_box(nullptr, empty, 2, never, nullptr), 0);
}
