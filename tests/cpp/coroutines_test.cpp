// Coroutines on the crew.
#include "slow_to_go.hpp"
#include "support.hpp"

#include <memory>
#include <mutex>

#if defined(__cpp_impl_coroutine)

namespace {

artel::task<int> number(int i)
{
    co_return i;
}
artel::task<int> elsewhere(int i)
{
    co_await artel::on_crew();
    EXPECT_NE(artel::this_light_thread::get_id(), artel::light_thread::id());
    co_return i;
}
artel::task<long> sum_of(int n)
{
    long sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += co_await number(i);
    }
    co_return sum;
}
artel::task<> throws(int i)
{
    co_await artel::on_crew();
    throw test::failure(i);
}
artel::task<int&> refers_to(int& x)
{
    co_return x;
}
artel::task<std::unique_ptr<int>> moves(int i)
{
    co_return std::make_unique<int>(i);
}
artel::task<int> fib(int n)
{
    if (n < 2) {
        co_return n;
    }
    if (n < 8) {
        const int a = co_await fib(n - 1);
        co_return a + co_await fib(n - 2);
    }
    artel::future<int> left = artel::start(fib(n - 1));
    const int right = co_await fib(n - 2);
    co_return right + co_await std::move(left);
}

struct noted {
    explicit noted(int& at) : count(&at) {}
    noted(noted&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
    ~noted()
    {
        if (count != nullptr) {
            ++*count;
        }
    }
    int* count;
};
artel::task<> holds(noted)
{
    co_return;
}

}  // namespace

TEST(coroutines, results_of_all_kinds)
{
    EXPECT_EQ(artel::start(number(3)).get(), 3);
    EXPECT_EQ(artel::start(elsewhere(4)).get(), 4);
    EXPECT_EQ(artel::start(sum_of(1000)).get(), 499500);
    int x = 1;
    EXPECT_EQ(&artel::start(refers_to(x)).get(), &x);
    EXPECT_EQ(*artel::start(moves(5)).get(), 5);
    EXPECT_THROW(artel::start(throws(1)).get(), test::failure);
}

TEST(coroutines, awaits_futures_that_are_there_and_that_come_later)
{
    artel::promise<int> p;
    artel::future<int> first = p.get_future();
    artel::promise<int> q;
    artel::future<int> second = q.get_future();
    q.set_value(2);
    artel::future<int> sum = artel::start(
        [](artel::future<int> a, artel::future<int> b) -> artel::task<int> {
            const int x = co_await std::move(b);
            co_return x + co_await std::move(a);
        }(std::move(first), std::move(second)));
    artel::this_light_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_FALSE(sum.is_ready());
    p.set_value(1);
    EXPECT_EQ(sum.get(), 3);
    // One that never comes is an exception in the coroutine.
    artel::future<int> broken;
    {
        artel::promise<int> gone;
        broken = gone.get_future();
        sum = artel::start([](artel::future<int> a) -> artel::task<int> {
            co_return co_await std::move(a);
        }(std::move(broken)));
    }
    EXPECT_THROW(sum.get(), std::future_error);
}

TEST(coroutines, that_never_begin_are_destroyed)
{
    int destroyed = 0;
    {
        artel::task<> t = holds(noted(destroyed));
        EXPECT_EQ(destroyed, 0);
    }
    EXPECT_EQ(destroyed, 1);
    artel::start(holds(noted(destroyed))).get();
    EXPECT_EQ(destroyed, 2);
}

// What a coroutine's parameters refer to may be gone as soon as its result is there.
TEST(coroutines, parameters_are_gone_when_the_result_is_there)
{
    std::atomic<int> gone{0};
    for (const bool fails : {false, true, false, true}) {
        test::flag begun;
        const auto one = [&](test::slow_to_go) -> artel::task<int> {
            begun.raise();
            if (fails) {
                throw test::failure(1);
            }
            co_return 1;
        };
        auto result = artel::start(one(test::slow_to_go(gone)));
        begun.wait();  // so that it is another thread that runs it
        if (fails) {
            EXPECT_THROW((void)result.get(), test::failure);
        } else {
            EXPECT_EQ(result.get(), 1);
        }
        EXPECT_EQ(gone.exchange(0), 1);
    }
}

TEST(coroutines, give_what_is_written_in_braces)
{
    const auto three = []() -> artel::task<std::vector<int>> { co_return {1, 2, 3}; };
    EXPECT_EQ(artel::start(three()).get(), (std::vector<int>{1, 2, 3}));
}

TEST(coroutines, are_awaited_once)
{
    const auto one = []() -> artel::task<int> { co_return 1; };
    const auto twice = [](artel::task<int> t) -> artel::task<int> {
        const int first = co_await std::move(t);
        co_return first + co_await std::move(t);
    };
    EXPECT_THROW((void)artel::start(twice(one())).get(), std::logic_error);
    artel::task<int> moved = one();
    const artel::task<int> elsewhere = std::move(moved);
    EXPECT_THROW((void)artel::start(std::move(moved)).get(), std::logic_error);
}

TEST(coroutines, when_all)
{
    std::vector<artel::task<int>> tasks;
    for (int i = 0; i < 100; ++i) {
        tasks.push_back(elsewhere(i));
    }
    const std::vector<int> results = artel::start(artel::when_all(std::move(tasks))).get();
    ASSERT_EQ(results.size(), 100u);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(results[static_cast<std::size_t>(i)], i);
    }
    std::vector<artel::task<>> failing;
    for (int i = 1; i < 20; ++i) {
        failing.push_back(throws(i));
    }
    try {
        artel::start(artel::when_all(std::move(failing))).get();
        FAIL();
    } catch (const test::failure& f) {
        EXPECT_EQ(f.number, 1);
    }
}

TEST(coroutines, recursion_and_waits_of_the_library)
{
    EXPECT_EQ(artel::start(fib(18)).get(), 2584);
    artel::mutex lock;
    int inside = 0;
    const auto excludes = [&]() -> artel::task<> {
        for (int i = 0; i < 50; ++i) {
            const std::unique_lock held(lock);
            EXPECT_EQ(++inside, 1);
            artel::this_light_thread::yield();
            --inside;
        }
        co_return;
    };
    std::vector<artel::task<>> all;
    for (int i = 0; i < 20; ++i) {
        all.push_back(excludes());
    }
    artel::start(artel::when_all(std::move(all))).get();
}

// Set by one, awaited by another, and dropped by both as soon as they can.
TEST(coroutines, stress)
{
    std::vector<artel::future<int>> sums;
    std::vector<artel::light_thread> setters;
    for (int i = 0; i < 2000; ++i) {
        artel::promise<int> p;
        sums.push_back(artel::start([](artel::future<int> f) -> artel::task<int> {
            co_return 1 + co_await std::move(f);
        }(p.get_future())));
        setters.emplace_back([p = std::move(p), i]() mutable { p.set_value(i); });
    }
    long sum = 0;
    for (auto& f : sums) {
        sum += f.get();
    }
    for (auto& t : setters) {
        t.join();
    }
    EXPECT_EQ(sum, 1999L * 2000 / 2 + 2000);
}

#endif
