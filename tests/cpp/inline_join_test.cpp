// A light thread that its joiner runs itself is as separate from it as one that another worker
// runs: what the joiner has in force does not concern it, and what it changes does not last.
#include "support.hpp"

#include <cfenv>
#include <exception>
#include <semaphore>

namespace {

// Calls it on a light thread that is joined at once, often enough for the joiner to run some.
template <class F>
void join_many(F&& function)
{
    for (int i = 0; i < 200; ++i) {
        artel::light_thread t(function);
        t.join();
    }
}

struct joins_while_unwinding {
    std::atomic<int>& wrong;
    ~joins_while_unwinding()
    {
        join_many([&] {
            wrong += std::uncaught_exceptions() != 0 || std::current_exception() != nullptr;
        });
    }
};

TEST(inline_join, begins_without_the_joiners_exceptions)
{
    std::atomic<int> wrong{0};
    try {
        const joins_while_unwinding joins{wrong};
        throw 1;
    } catch (int) {
        join_many([&] { wrong += std::current_exception() != nullptr; });
        EXPECT_NE(std::current_exception(), nullptr);
    }
    EXPECT_EQ(std::current_exception(), nullptr);
    EXPECT_EQ(wrong, 0);
}

TEST(inline_join, is_not_in_the_joiners_width_scope)
{
    const artel::width_scope scope(1);
    join_many([] {
        std::binary_semaphore done(0);
        artel::task_group g;
        g.run([&] { done.release(); });
        // Not by waiting for the group: in a width_scope of one the task would wait for that.
        done.acquire();
        g.wait();
    });
}

// Also what it leaves to those that run after it, on the same workers.
TEST(inline_join, a_changed_rounding_mode_ends_with_the_light_thread)
{
    join_many([] { std::fesetround(FE_UPWARD); });
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    std::atomic<int> wrong{0};
    std::vector<artel::light_thread> all;
    for (int i = 0; i < 100; ++i) {
        all.emplace_back([&] {
            wrong += std::fegetround() != FE_TONEAREST;
            std::fesetround(FE_DOWNWARD);
            artel::this_light_thread::sleep_for(std::chrono::microseconds(100));
            wrong += std::fegetround() != FE_DOWNWARD;
        });
    }
    for (artel::light_thread& t : all) {
        t.join();
    }
    artel::parallel_for(0, 10000, [&](int) { wrong += std::fegetround() != FE_TONEAREST; });
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(wrong, 0);
}

}  // namespace
