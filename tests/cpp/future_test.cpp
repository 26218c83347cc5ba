// Promises and futures of light threads.
#include "slow_to_go.hpp"
#include "support.hpp"

#include <memory>
#include <string>

TEST(future, has_what_the_promise_is_given)
{
    artel::promise<std::string> p;
    artel::future<std::string> f = p.get_future();
    EXPECT_TRUE(f.valid());
    EXPECT_FALSE(f.is_ready());
    EXPECT_EQ(f.wait_for(std::chrono::milliseconds(1)), std::future_status::timeout);
    artel::light_thread setter([&] { p.set_value("value"); });
    EXPECT_EQ(f.get(), "value");
    EXPECT_FALSE(f.valid());
    setter.join();
    EXPECT_THROW(f.get(), std::future_error);
    EXPECT_THROW(p.set_value("again"), std::future_error);
    EXPECT_THROW(static_cast<void>(p.get_future()), std::future_error);
}

TEST(future, of_references_of_nothing_and_of_what_only_moves)
{
    int x = 1;
    artel::promise<int&> r;
    r.set_value(x);
    EXPECT_EQ(&r.get_future().get(), &x);
    artel::promise<void> v;
    v.set_value();
    v.get_future().get();
    artel::promise<std::unique_ptr<int>> u;
    u.set_value(std::make_unique<int>(3));
    EXPECT_EQ(*u.get_future().get(), 3);
}

TEST(future, exceptions_and_broken_promises)
{
    artel::promise<int> p;
    p.set_exception(std::make_exception_ptr(test::failure(7)));
    auto f = p.get_future();
    EXPECT_EQ(f.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    EXPECT_THROW(f.get(), test::failure);
    artel::future<int> broken;
    EXPECT_FALSE(broken.valid());
    EXPECT_THROW(broken.wait(), std::future_error);
    {
        artel::promise<int> gone;
        broken = gone.get_future();
    }
    try {
        broken.get();
        FAIL();
    } catch (const std::future_error& e) {
        EXPECT_EQ(e.code(), std::future_errc::broken_promise);
    }
    // Given away, it is not broken; what it stood for before is.
    artel::promise<int> to;
    artel::future<int> before = to.get_future();
    artel::promise<int> from;
    artel::future<int> kept = from.get_future();
    to = std::move(from);
    EXPECT_THROW(before.get(), std::future_error);
    to.set_value(1);
    EXPECT_EQ(kept.get(), 1);
    EXPECT_THROW(from.set_value(1), std::future_error);
}

// A value whose making throws leaves the promise as it was.
struct picky {
    picky(int v)
    {
        if (v == 0) {
            throw test::failure(0);
        }
    }
};
TEST(future, a_value_that_cannot_be_made)
{
    artel::promise<picky> p;
    EXPECT_THROW(p.set_value(0), test::failure);
    p.set_value(1);
    p.get_future().get();
}

TEST(future, async_runs_on_a_light_thread)
{
    auto f = artel::async([](std::unique_ptr<int> a, int b) { return *a + b; },
                          std::make_unique<int>(1), 2);
    EXPECT_EQ(f.get(), 3);
    EXPECT_THROW(artel::async([] { throw test::failure(1); }).get(), test::failure);
    EXPECT_NE(artel::async([] { return artel::this_light_thread::get_id(); }).get(),
              artel::light_thread::id());
}

// Waiters of all kinds; results that are dropped as soon as they are there, or before.
// What the function and its arguments refer to may be gone as soon as the result is there.
TEST(future, of_async_comes_when_the_function_is_gone)
{
    std::atomic<int> gone{0};
    for (int i = 0; i < 3; ++i) {
        test::flag begun;
        auto sum = artel::async(
            [&begun, held = test::slow_to_go(gone)](const auto&) {
                begun.raise();
                return 1;
            },
            test::slow_to_go(gone));
        begun.wait();  // so that it is another thread that runs it
        EXPECT_EQ(sum.get(), 1);
        EXPECT_EQ(gone.exchange(0), 2);
    }
    auto failed = artel::async([held = test::slow_to_go(gone)] { throw test::failure(1); });
    EXPECT_THROW(failed.get(), test::failure);
    EXPECT_EQ(gone, 1);
}

TEST(future, takes_what_is_written_in_braces)
{
    artel::promise<std::vector<int>> p;
    artel::future<std::vector<int>> f = p.get_future();
    p.set_value({1, 2, 3});
    EXPECT_EQ(f.get(), (std::vector<int>{1, 2, 3}));
}

TEST(future, stress)
{
    std::atomic<long> sum{0};
    std::vector<artel::light_thread> threads;
    for (int i = 0; i < 4000; ++i) {
        artel::promise<int> p;
        auto f = p.get_future();
        threads.emplace_back([p = std::move(p), i]() mutable {
            if (i % 3 == 0) {
                artel::this_light_thread::yield();
            }
            p.set_value(i);
        });
        if (i % 5 == 0) {
            continue;
        }
        threads.emplace_back([f = std::move(f), &sum]() mutable {
            while (f.wait_for(std::chrono::microseconds(10)) == std::future_status::timeout) {
            }
            sum += f.get();
        });
    }
    std::thread outside([&] {
        for (int i = 0; i < 200; ++i) {
            sum += artel::async([i] { return i; }).get();
        }
    });
    for (auto& t : threads) {
        t.join();
    }
    outside.join();
    EXPECT_EQ(sum, 3999L * 4000 / 2 - 799L * 800 / 2 * 5 + 199L * 200 / 2);
}

TEST(promise, of_two_threads_that_set_it_one_succeeds)
{
    for (int round = 0; round < 500; ++round) {
        artel::promise<std::string> p;
        artel::future<std::string> f = p.get_future();
        std::atomic<int> there{0};
        std::atomic<int> refused{0};
        const auto set = [&](const char* value) {
            ++there;
            while (there < 2) {
                std::this_thread::yield();
            }
            try {
                p.set_value(std::string(100, *value));
            } catch (const std::future_error& e) {
                EXPECT_EQ(e.code(), std::future_errc::promise_already_satisfied);
                ++refused;
            }
        };
        std::thread other(set, "a");
        set("b");
        const std::string result = f.get();
        other.join();
        EXPECT_EQ(refused, 1);
        EXPECT_EQ(result, std::string(100, result[0]));
    }
}

// A second thread comes while the first one copies its value, which fails.
TEST(promise, is_set_by_the_next_when_the_first_fails)
{
    struct fails_late {
        bool first = false;
        std::atomic<bool>* inside = nullptr;
        fails_late(bool is_first, std::atomic<bool>* tell) : first(is_first), inside(tell) {}
        fails_late(const fails_late& other) : first(other.first), inside(other.inside)
        {
            if (first) {
                *inside = true;
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                throw test::failure(1);
            }
        }
    };
    artel::promise<fails_late> p;
    artel::future<fails_late> f = p.get_future();
    std::atomic<bool> inside{false};
    const fails_late bad(true, &inside);
    const fails_late good(false, nullptr);
    std::thread first([&] { EXPECT_THROW(p.set_value(bad), test::failure); });
    while (!inside) {
        std::this_thread::yield();
    }
    p.set_value(good);
    first.join();
    EXPECT_FALSE(f.get().first);
}

TEST(promise, can_be_set_after_a_value_whose_copying_threw)
{
    struct throws_once {
        bool& throws;
        explicit throws_once(bool& t) : throws(t) {}
        throws_once(const throws_once& other) : throws(other.throws)
        {
            if (std::exchange(throws, false)) {
                throw test::failure(1);
            }
        }
    };
    bool throws = true;
    artel::promise<throws_once> p;
    const throws_once value(throws);
    EXPECT_THROW(p.set_value(value), test::failure);
    EXPECT_FALSE(p.get_future().is_ready());
    p.set_value(value);
    EXPECT_THROW(p.set_value(value), std::future_error);
}
