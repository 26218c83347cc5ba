// parallel_invoke: results, and exceptions from every place.
#include "support.hpp"
#include "work.hpp"

#include <chrono>
#include <memory>

using test::fib;

TEST(parallel_invoke, recursion)
{
    EXPECT_EQ(fib(22), 17711);
}

TEST(parallel_invoke, takes_many_functions)
{
    std::atomic<int> sum{0};
    artel::parallel_invoke([&] { sum += 1; }, [&] { sum += 2; }, [&] { sum += 4; },
                           [&] { sum += 8; }, [&] { sum += 16; });
    EXPECT_EQ(sum, 31);
    artel::parallel_invoke([&] { sum = 0; });
    EXPECT_EQ(sum, 0);
}

TEST(parallel_invoke, several_threads_at_once)
{
    test::on_threads(8, [](unsigned) { EXPECT_EQ(fib(17), 1597); });
}

TEST(parallel_invoke, an_exception_from_any_place_reaches_the_caller_once)
{
    for (int round = 0; round < 300; ++round) {
        for (unsigned mask = 1; mask < 8; ++mask) {
            const auto body = [mask, round](int i) {
                return [mask, round, i] {
                    if (round % 3 == i) {
                        test::work_for(std::chrono::microseconds(2));
                    }
                    if ((mask >> i & 1) != 0) {
                        throw test::failure(i);
                    }
                };
            };
            int caught = 0;
            try {
                artel::parallel_invoke(body(0), body(1), body(2));
            } catch (const test::failure& f) {
                ++caught;
                EXPECT_NE(mask >> f.number & 1, 0u);
            }
            ASSERT_EQ(caught, 1);
        }
    }
}

namespace {

void fail_deep(int depth)
{
    if (depth == 0) {
        throw test::failure(0);
    }
    artel::parallel_invoke([] { test::work_for(std::chrono::microseconds(1)); },
                           [depth] { fail_deep(depth - 1); });
}

}  // namespace

TEST(parallel_invoke, an_exception_passes_through_many_levels)
{
    for (int round = 0; round < 100; ++round) {
        EXPECT_THROW(fail_deep(50), test::failure);
    }
}

TEST(parallel_invoke, everybody_has_ended_when_an_exception_arrives)
{
    for (int round = 0; round < 200; ++round) {
        auto alive = std::make_unique<std::atomic<int>>(0);
        try {
            artel::parallel_invoke(
                [] {
                    test::work_for(std::chrono::microseconds(3));
                    throw test::failure(1);
                },
                [&] {
                    test::work_for(std::chrono::microseconds(10));
                    ++*alive;
                });
            FAIL();
        } catch (const test::failure&) {
            alive.reset();  // a task still running would write to freed memory: ASan
        }
    }
}
