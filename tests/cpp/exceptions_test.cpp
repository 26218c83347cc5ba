// Exceptions where they cross what the library does behind the scenes: suspensions, copies of
// callables, predicates, every iteration of a loop. What the algorithms do with exceptions of their
// bodies is tested beside each of them.
#include "support.hpp"

#include <mutex>
#include <string>

namespace {

using test::failure;

// Throws when it is copied, or moved, for the n-th time.
struct fragile {
    explicit fragile(int copies) : left(copies) {}
    fragile(const fragile& other) : left(other.left - 1)
    {
        if (left < 0) {
            throw failure(left);
        }
    }
    void operator()() const { ++runs; }
    int left;
    static inline std::atomic<int> runs{0};
};

}  // namespace

// The exception that is being handled belongs to the light thread, wherever it goes on.
TEST(exceptions, handlers_may_wait)
{
    constexpr int n = 40;
    artel::barrier meeting(n);
    std::atomic<int> right{0};
    std::vector<artel::light_thread> threads;
    for (int i = 0; i < n; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 20; ++round) {
                try {
                    try {
                        throw failure(i);
                    } catch (const failure&) {
                        meeting.arrive_and_wait();
                        try {
                            throw failure(1000 + i);
                        } catch (const failure& inner) {
                            meeting.arrive_and_wait();
                            right += inner.number == 1000 + i ? 1 : 0;
                        }
                        artel::this_light_thread::sleep_for(std::chrono::microseconds(i));
                        throw;
                    }
                } catch (const failure& outer) {
                    right += outer.number == i ? 1 : 0;
                }
                right += std::uncaught_exceptions() == 0 ? 1 : 0;
            }
        });
    }
    for (artel::light_thread& t : threads) {
        t.join();
    }
    EXPECT_EQ(right, 3 * 20 * n);
}

// A destructor that waits while its stack is unwound.
TEST(exceptions, unwinding_may_wait)
{
    struct waits {
        ~waits()
        {
            artel::parallel_for(0, 50, [](int) { test::work_for(std::chrono::microseconds(1)); });
        }
    };
    std::atomic<int> caught{0};
    artel::parallel_for(0, 20, [&](int i) {
        try {
            const waits w;
            throw failure(i);
        } catch (const failure& f) {
            caught += f.number == i ? 1 : 0;
        }
    });
    EXPECT_EQ(caught, 20);
}

TEST(exceptions, what_cannot_be_copied_is_not_started)
{
    fragile::runs = 0;
    const fragile at_once(0);
    EXPECT_THROW(artel::light_thread{at_once}, failure);
    artel::task_group group;
    EXPECT_THROW(group.run(at_once), failure);
    group.wait();
    EXPECT_EQ(fragile::runs, 0);
    // Nothing was left behind that would spoil what comes next.
    group.run([] { ++fragile::runs; });
    group.wait();
    EXPECT_EQ(fragile::runs, 1);
}

TEST(exceptions, a_predicate_that_throws_leaves_the_lock_held)
{
    artel::mutex lock;
    artel::condition_variable changed;
    std::unique_lock hold(lock);
    EXPECT_THROW(changed.wait(hold, []() -> bool { throw failure(1); }), failure);
    EXPECT_TRUE(hold.owns_lock());
    EXPECT_THROW(changed.wait_for(hold, std::chrono::hours(1), []() -> bool { throw failure(1); }),
                 failure);
    EXPECT_TRUE(hold.owns_lock());
}

TEST(exceptions, each_iteration_may_throw)
{
    constexpr int n = 70;
    for (int bad = 0; bad < n; ++bad) {
        for (int how = 0; how < 3; ++how) {
            int number = -1;
            const auto body = [bad](int i) {
                if (i == bad) {
                    throw failure(i);
                }
            };
            try {
                if (how == 0) {
                    artel::parallel_for(0, n, body);
                } else if (how == 1) {
                    artel::parallel_for(0, n, body, artel::simple{});
                } else {
                    artel::parallel_for(0, n, body, artel::static_{});
                }
            } catch (const failure& f) {
                number = f.number;
            }
            ASSERT_EQ(number, bad) << how;
        }
    }
}

TEST(exceptions, pass_eight_levels_of_loops_tasks_and_light_threads)
{
    const auto descend = [](auto& self, int depth) -> void {
        if (depth == 0) {
            throw failure(8);
        }
        if (depth % 2 == 0) {
            artel::parallel_for(0, 2, [&](int) { self(self, depth - 1); });
        } else {
            artel::task_group group;
            group.run([&] { self(self, depth - 1); });
            group.run([&] { self(self, depth - 1); });
            group.wait();
        }
    };
    EXPECT_THROW(descend(descend, 8), failure);
    // A light thread keeps its exceptions to itself, so it is caught inside.
    bool caught = false;
    artel::light_thread([&] {
        try {
            descend(descend, 8);
        } catch (const failure& f) {
            caught = f.number == 8;
        }
    }).join();
    EXPECT_TRUE(caught);
}
