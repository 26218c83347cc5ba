// Loops, reductions, running totals, sorting and groups of tasks through the C interface.
#include "support.hpp"

#include <algorithm>
#include <artel.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>

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

// Of any associative operation that does not commute: what a sequence of digits is in base 3,
// modulo 2^64, and 3 to their number.
struct digits {
    std::uint64_t number;
    std::uint64_t power;
};
constexpr digits no_digits{0, 1};

void append(digits& d, std::int64_t i)
{
    d = {d.number * 3 + static_cast<std::uint64_t>(i % 3), d.power * 3};
}
void append_range(void* calls, std::int64_t begin, std::int64_t end, void* value)
{
    if (calls != nullptr) {
        ++*static_cast<std::atomic<int>*>(calls);
    }
    for (; begin < end; ++begin) {
        append(*static_cast<digits*>(value), begin);
    }
}
void join_digits(void*, void* left, const void* right)
{
    auto& l = *static_cast<digits*>(left);
    const auto& r = *static_cast<const digits*>(right);
    l = {l.number * r.power + r.number, l.power * r.power};
}
digits expected(std::int64_t begin, std::int64_t end)
{
    digits d = no_digits;
    append_range(nullptr, begin, end, &d);
    return d;
}
bool operator==(const digits& a, const digits& b)
{
    return a.number == b.number && a.power == b.power;
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

TEST(c_reduce, joins_neighbours_in_their_order)
{
    for (int p = ARTEL_AUTOMATIC; p <= ARTEL_TIMESPAN_GRAIN; ++p) {
        for (const int n : {0, 1, 2, 100, 10000}) {
            const artel_loop_options how{1, static_cast<artel_partitioner>(p), nullptr};
            digits d = no_digits;
            EXPECT_EQ(artel_parallel_reduce(&how, 5, 5 + n, sizeof d, &d, append_range, join_digits,
                                            nullptr),
                      0);
            EXPECT_EQ(d, expected(5, 5 + n)) << "partitioner " << p << ", " << n << " iterations";
        }
    }
}

TEST(c_reduce, values_of_any_size)
{
    for (const std::size_t size :
         {std::size_t{8}, std::size_t{64}, std::size_t{72}, std::size_t{5000}}) {
        std::vector<std::uint64_t> sums(size / 8);
        struct many {
            std::size_t n;
        } context{sums.size()};
        const auto body = [](void* c, std::int64_t b, std::int64_t e, void* value) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(value) % 16, 0u);
            auto* const v = static_cast<std::uint64_t*>(value);
            for (; b < e; ++b) {
                for (std::size_t i = 0; i < static_cast<many*>(c)->n; ++i) {
                    v[i] += static_cast<std::uint64_t>(b) * (i + 1);
                }
            }
        };
        const auto join = [](void* c, void* left, const void* right) {
            for (std::size_t i = 0; i < static_cast<many*>(c)->n; ++i) {
                static_cast<std::uint64_t*>(left)[i] += static_cast<const std::uint64_t*>(right)[i];
            }
        };
        for (const auto reduce : {artel_parallel_reduce, artel_parallel_deterministic_reduce}) {
            std::fill(sums.begin(), sums.end(), 0);
            EXPECT_EQ(reduce(nullptr, 0, 3000, size, sums.data(), body, join, &context), 0);
            for (std::size_t i = 0; i < sums.size(); ++i) {
                EXPECT_EQ(sums[i], 3000u * 2999 / 2 * (i + 1));
            }
        }
    }
}

TEST(c_reduce, the_deterministic_one_gives_the_same_bits_each_time)
{
    std::vector<float> numbers(100000);
    std::mt19937 random(7);
    std::generate(numbers.begin(), numbers.end(),
                  [&] { return std::uniform_real_distribution<float>(-1, 1)(random); });
    const auto body = [](void* c, std::int64_t b, std::int64_t e, void* value) {
        for (; b < e; ++b) {
            *static_cast<float*>(value) += static_cast<float*>(c)[b];
        }
    };
    const auto join = [](void*, void* left, const void* right) {
        *static_cast<float*>(left) += *static_cast<const float*>(right);
    };
    const auto sum = [&] {
        float s = 0;
        const artel_limit alone{1, 0, nullptr, nullptr};
        static int turn = 0;
        const artel_loop_options how{100, ARTEL_AUTOMATIC, ++turn % 2 == 0 ? &alone : nullptr};
        EXPECT_EQ(artel_parallel_deterministic_reduce(&how, 0, 100000, sizeof s, &s, body, join,
                                                      numbers.data()),
                  0);
        return s;
    };
    const float first = sum();
    for (int i = 0; i < 50; ++i) {
        const float again = sum();
        EXPECT_EQ(std::memcmp(&again, &first, sizeof first), 0);
    }
}

TEST(c_reduce, endless_ranges_are_errors_and_leave_the_value)
{
    digits d{7, 8};
    for (const auto reduce : {artel_parallel_reduce, artel_parallel_deterministic_reduce}) {
        EXPECT_EQ(
            reduce(nullptr, INT64_MIN, INT64_MAX, sizeof d, &d, append_range, join_digits, nullptr),
            EOVERFLOW);
        EXPECT_EQ(d, (digits{7, 8}));
        EXPECT_EQ(reduce(nullptr, 10, -10, sizeof d, &d, append_range, join_digits, nullptr), 0);
        EXPECT_EQ(d, (digits{7, 8}));
    }
}

TEST(c_scan, writes_every_running_total_once)
{
    struct arrays {
        std::vector<std::uint64_t> totals;
        std::atomic<int> written{0};
    };
    const auto body = [](void* c, std::int64_t b, std::int64_t e, void* total, int is_final) {
        auto& a = *static_cast<arrays*>(c);
        for (; b < e; ++b) {
            append(*static_cast<digits*>(total), b);
            if (is_final == 1) {
                a.totals[static_cast<std::size_t>(b)] = static_cast<digits*>(total)->number;
                ++a.written;
            }
        }
    };
    for (const int n : {0, 1, 2, 1000, 50000}) {
        for (const int grain : {0, 1, 300}) {
            arrays a{std::vector<std::uint64_t>(static_cast<std::size_t>(n))};
            const artel_loop_options how{grain, ARTEL_AUTOMATIC, nullptr};
            digits d = no_digits;
            EXPECT_EQ(artel_parallel_scan(&how, 0, n, sizeof d, &d, body, join_digits, &a), 0);
            EXPECT_EQ(d, expected(0, n));
            EXPECT_EQ(a.written, n);
            digits serial = no_digits;
            for (int i = 0; i < n; ++i) {
                append(serial, i);
                EXPECT_EQ(a.totals[static_cast<std::size_t>(i)], serial.number);
            }
        }
    }
}

namespace {

template <class T>
int compare(const void* a, const void* b, void* calls)
{
    ++*static_cast<std::atomic<int>*>(calls);
    T x;
    T y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

}  // namespace

TEST(c_sort, sorts_elements_of_any_size)
{
    std::mt19937 random(11);
    for (const std::size_t n : {0u, 1u, 2u, 100u, 30000u}) {
        for (const std::size_t size : {4u, 8u, 5u, 12u, 24u, 200u}) {
            // Also where elements of 4 and 8 bytes are not aligned.
            for (const std::size_t shift : {0u, 1u}) {
                std::vector<char> bytes(n * size + shift);
                std::vector<std::uint32_t> keys(n);
                char* const base = bytes.data() + shift;
                for (std::size_t i = 0; i < n; ++i) {
                    keys[i] = static_cast<std::uint32_t>(random() % 5000);
                    std::memcpy(base + i * size, &keys[i], 4);
                }
                std::sort(keys.begin(), keys.end());
                std::atomic<int> calls{0};
                EXPECT_EQ(artel_parallel_sort(base, n, size, compare<std::uint32_t>, &calls), 0);
                EXPECT_EQ(calls > 0, n > 1);
                for (std::size_t i = 0; i < n; ++i) {
                    EXPECT_EQ(std::memcmp(base + i * size, &keys[i], 4), 0) << size << ' ' << i;
                }
            }
        }
    }
}

TEST(c_sort, the_stable_one_keeps_the_order_of_equals)
{
    struct element {
        std::uint32_t key;
        std::uint32_t place;
    };
    std::mt19937 random(12);
    std::vector<element> elements(40000);
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        elements[i] = {static_cast<std::uint32_t>(random() % 50), i};
    }
    std::atomic<int> calls{0};
    EXPECT_EQ(artel_parallel_stable_sort(elements.data(), elements.size(), sizeof(element),
                                         compare<std::uint32_t>, &calls),
              0);
    for (std::size_t i = 1; i < elements.size(); ++i) {
        const element& a = elements[i - 1];
        const element& b = elements[i];
        EXPECT_TRUE(a.key < b.key || (a.key == b.key && a.place < b.place)) << i;
    }
}

TEST(c_sort, elements_without_size_are_an_error)
{
    int none = 0;
    EXPECT_EQ(artel_parallel_sort(&none, 1, 0, compare<int>, nullptr), EINVAL);
    EXPECT_EQ(artel_parallel_stable_sort(&none, 1, 0, compare<int>, nullptr), EINVAL);
}

namespace {

struct tree {
    artel_task_group group;
    std::atomic<int> leaves{0};
};
struct node {
    tree* of;
    int depth;
};
void grow(void* context)
{
    node* const n = static_cast<node*>(context);
    if (n->depth == 0) {
        ++n->of->leaves;
    } else {
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(artel_task_group_run(&n->of->group, grow, new node{n->of, n->depth - 1}), 0);
        }
    }
    delete n;
}

}  // namespace

TEST(c_task_group, tasks_may_add_tasks_and_a_group_is_used_again)
{
    tree t{};
    EXPECT_EQ(artel_task_group_init(&t.group, nullptr), 0);
    for (int turn = 1; turn <= 3; ++turn) {
        grow(new node{&t, 10});
        EXPECT_EQ(artel_task_group_wait(&t.group), 0);
        EXPECT_EQ(t.leaves, turn * 1024);
    }
    grow(new node{&t, 10});
    artel_task_group_destroy(&t.group);
    EXPECT_EQ(t.leaves, 4 * 1024);
}

TEST(c_task_group, what_has_not_begun_is_dropped_when_cancelled)
{
    tree t{};
    const artel_limit alone{1, 0, nullptr, nullptr};
    EXPECT_EQ(artel_task_group_init(&t.group, &alone), 0);
    const auto cancel = [](void* context) {
        auto& all = *static_cast<tree*>(context);
        ++all.leaves;
        artel_task_group_cancel(&all.group);
        EXPECT_EQ(artel_task_group_is_cancelled(&all.group), 1);
    };
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(artel_task_group_run(&t.group, cancel, &t), 0);
    }
    EXPECT_EQ(artel_task_group_wait(&t.group), ECANCELED);
    EXPECT_EQ(t.leaves, 1);
    EXPECT_EQ(artel_task_group_is_cancelled(&t.group), 0);
    EXPECT_EQ(artel_task_group_wait(&t.group), 0);
    artel_task_group_destroy(&t.group);
}
