// What callers may hand over: ends of another type than the beginning, members as functions,
// bodies that change their index, iterators with wide differences, values that
// want to be aligned strictly, and macros that C's headers leave behind.
#include <complex.h>  // first: I is a macro from here on

#include "support.hpp"

#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <utility>

namespace {

struct counter {
    long value = 0;
    void count() { ++value; }
    bool less(const counter& other) const { return value < other.value; }
};

constexpr std::size_t too_many = std::size_t{std::numeric_limits<int>::max()} + 1;

// Aligned more strictly than anything the library aligns by itself.
struct alignas(512) strict {
    long value = 0;
    strict(long v = 0) : value(v) {}
    bool is_aligned() const
    {
        return reinterpret_cast<std::uintptr_t>(this) % alignof(strict) == 0;
    }
    friend strict operator+(const strict& a, const strict& b)
    {
        return strict(a.is_aligned() && b.is_aligned() ? a.value + b.value : -1000000);
    }
};

}  // namespace

TEST(arguments, an_end_that_the_beginnings_type_cannot_say_is_an_error)
{
    std::atomic<int> calls{0};
    const auto count = [&](auto) { ++calls; };
    const auto one = [](auto) { return 1; };
    EXPECT_THROW(artel::parallel_for(0, too_many, count), std::out_of_range);
    EXPECT_THROW(artel::parallel_for(0, too_many, count, artel::simple{}, {}), std::out_of_range);
    EXPECT_THROW(artel::parallel_for(0, too_many, 3, count), std::out_of_range);
    EXPECT_THROW(artel::parallel_for(10u, -1, -1, count), std::out_of_range);
    EXPECT_THROW((void)artel::parallel_reduce(0, too_many, 0, one, std::plus<>{}),
                 std::out_of_range);
    EXPECT_THROW((void)artel::parallel_deterministic_reduce(0, too_many, 0, one, std::plus<>{}),
                 std::out_of_range);
    EXPECT_EQ(calls, 0);
}

TEST(arguments, an_end_of_another_type_is_that_number)
{
    std::atomic<long> sum{0};
    const auto add = [&](auto i) {
        static_assert(std::is_same_v<decltype(i), int>);
        sum += i;
    };
    artel::parallel_for(0, std::size_t{100}, add);
    artel::parallel_for(0, short{100}, add);
    artel::parallel_for(0, 100ll, 1, add);
    // Whatever can be converted.
    std::atomic<int> hundred{100};
    artel::parallel_for(0, hundred, add);
    artel::parallel_for(0, std::integral_constant<long, 100>{}, add);
    EXPECT_EQ(sum, 5 * 4950);
    // What lies before the beginning is no iteration.
    std::atomic<int> calls{0};
    const auto count = [&](auto) { ++calls; };
    const int none = 0;
    artel::parallel_for(std::size_t{0}, none - 1, count);
    artel::parallel_for(10u, -1, count);
    artel::parallel_for(std::int8_t{0}, -1000, count);
    artel::parallel_for(0, too_many, -1, count);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(artel::parallel_reduce(
                  std::size_t{0}, none - 1, 7, [](auto) { return 1; }, std::plus<>{}),
              7);
}

TEST(arguments, bodies_may_change_the_index_that_they_get)
{
    std::atomic<int> calls{0};
    artel::parallel_for(0u, 1000u, [&](auto&& i) {
        ++calls;
        i = 1000000;
    });
    artel::parallel_for(0, 1000, [&](int&& i) {
        ++calls;
        while (i > 0) {
            --i;
        }
    });
    EXPECT_EQ(calls, 2000);
    const long sum = artel::parallel_reduce(
        0, 1000, 0l, [](auto&& i) { return long{std::exchange(i, 0)}; }, std::plus<>{});
    EXPECT_EQ(sum, 499500);
}

TEST(arguments, members_are_functions)
{
    std::vector<counter> all(1000);
    artel::parallel_for(all, &counter::count);
    artel::parallel_for(all, &counter::count, artel::simple{}, {});
    artel::parallel_for(all.begin(), all.end(), &counter::count);
    artel::parallel_for_each(all, &counter::count);
    std::list<counter> some(100);
    artel::parallel_for_each(some, &counter::count);
    for (const counter& c : all) {
        ASSERT_EQ(c.value, 4);
    }
    for (const counter& c : some) {
        ASSERT_EQ(c.value, 1);
    }
    EXPECT_EQ(artel::parallel_reduce(all.begin(), all.end(), 0l, &counter::value, std::plus<>{}),
              4000);
    all.resize(20000);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].value = static_cast<long>(i * 7919 % 20011);
    }
    auto stable = all;
    artel::parallel_sort(all, &counter::less);
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, &counter::value));
    artel::parallel_stable_sort(stable.begin(), stable.end(), &counter::less);
    EXPECT_TRUE(std::ranges::is_sorted(stable, {}, &counter::value));
}

// The difference of two 64-bit numbers needs more than 64 bits.
TEST(arguments, iterators_with_wide_differences)
{
    std::atomic<long> sum{0};
    const auto numbers = std::views::iota(-100l, 1000l);
    const auto add = [&](long i) { sum += i; };
    artel::parallel_for(numbers, add);
    artel::parallel_for_each(numbers, add);
    artel::parallel_for(numbers.begin(), numbers.end(), [&](auto at) { sum += *at; });
    EXPECT_EQ(sum, 3 * 494450);
    std::atomic<int> calls{0};
    const auto count = [&](auto&&) { ++calls; };
    const auto endless = std::views::iota(0ull, ~0ull);
    EXPECT_THROW(artel::parallel_for(endless, count), std::length_error);
    EXPECT_THROW(artel::parallel_for_each(endless, count), std::length_error);
    EXPECT_THROW(artel::parallel_for(endless.begin(), endless.end(), count), std::length_error);
    EXPECT_EQ(calls, 0);
}

TEST(arguments, values_may_want_any_alignment)
{
    const auto make = [](int i) { return strict(i); };
    EXPECT_EQ(artel::parallel_reduce(0, 1000, strict(), make, std::plus<>{}).value, 499500);
    EXPECT_EQ(artel::parallel_deterministic_reduce(0, 1000, strict(), make, std::plus<>{}).value,
              499500);
    artel::reducing_sinc<strict> gathered(2);
    gathered.submit(strict(1));
    gathered.submit(strict(2));
    EXPECT_EQ(gathered.wait().value, 3);

    const strict one(1);
    artel::task_group group;
    std::atomic<long> sum{0};
    group.run([&sum, one] { sum += one.is_aligned() ? one.value : -1000; });
    group.wait();
    artel::light_thread(
        [&sum, one](const strict& two) {
            sum += one.is_aligned() && two.is_aligned() ? two.value : -1000;
        },
        strict(2))
        .join();
    EXPECT_EQ(sum, 3);
    artel::future<strict> result = artel::async([one](const strict& two) { return one + two; },
                                                strict(2));
    EXPECT_EQ(result.get().value, 3);
    artel::promise<strict> promised;
    artel::future<strict> given = promised.get_future();
    promised.set_value(strict(5));
    EXPECT_EQ(given.get().value, 5);
}

TEST(arguments, a_sinc_gathers_what_can_only_be_moved)
{
    struct longer {
        std::unique_ptr<int> operator()(std::unique_ptr<int> a, std::unique_ptr<int> b) const
        {
            return a == nullptr || (b != nullptr && *b > *a) ? std::move(b) : std::move(a);
        }
    };
    artel::reducing_sinc<std::unique_ptr<int>, longer> most(3);
    for (const int i : {1, 3, 2}) {
        most.submit(std::make_unique<int>(i));
    }
    EXPECT_EQ(*most.wait(), 3);
}

// A function that makes the values is no value, though it may be converted to one.
TEST(arguments, a_maker_of_truth_values_is_called)
{
    artel::per_worker<bool> never([] { return false; });
    EXPECT_FALSE(never.local());
    artel::per_worker<bool> always(true);
    EXPECT_TRUE(always.local());
}

TEST(arguments, a_deterministic_sum_is_moved_to_the_caller)
{
    struct noted {
        int copies = 0;
        noted() = default;
        noted(const noted& other) : copies(other.copies + 1) {}
        noted(noted&& other) noexcept : copies(other.copies) {}
        noted& operator=(const noted&) = delete;
        noted& operator=(noted&&) = default;
    };
    const noted total = artel::parallel_deterministic_reduce(
        artel::blocked_range<int>(0, 100), noted(),
        [](const auto&, const noted&) { return noted(); }, [](noted left, noted) { return left; });
    EXPECT_EQ(total.copies, 0);
}
