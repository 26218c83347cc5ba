// width_scope: how many are at work on what is started inside.
#include "leaves.hpp"
#include "support.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using artel::width_scope;
using test::everything;
using test::leaves;
using test::of_everything;

void recurse_counting(int depth, std::atomic<int>& count)
{
    if (depth == 0) {
        ++count;
        return;
    }
    const auto half = [&] { recurse_counting(depth - 1, count); };
    artel::parallel_invoke(half, half);
}

TEST(width, limits_loops_of_all_kinds)
{
    test::with_all_algorithms([](auto how) {
        for (const unsigned most : {1u, 2u, 3u}) {
            const width_scope scope(most);
            leaves all;
            artel::parallel_for(0, 100, [&](int) { all.work(); }, how);
            all.expect(most, 100);
        }
    });
}

TEST(width, limits_all_that_is_started_together)
{
    for (const unsigned most : {1u, 2u, 3u, 0u}) {
        for (int round = 0; round < 10; ++round) {
            leaves all;
            {
                const width_scope scope(most);
                everything(all);
            }
            all.expect(most != 0 ? most : test::workers(), of_everything);
        }
    }
}

TEST(width, belongs_to_the_thread_that_asks)
{
    test::on_threads(4, [](unsigned i) {
        for (int round = 0; round < 5; ++round) {
            leaves all;
            const width_scope scope(1 + i);
            everything(all);
            all.expect(1 + i, of_everything);
        }
    });
}

TEST(width, holds_for_light_threads_wherever_they_are)
{
    std::vector<artel::light_thread> some;
    for (unsigned i = 0; i < 4; ++i) {
        some.emplace_back([i] {
            leaves all;
            const width_scope scope(1 + i % 2);
            everything(all);
            artel::this_light_thread::yield();
            everything(all);
            all.expect(1 + i % 2, 2 * of_everything);
        });
    }
    for (artel::light_thread& t : some) {
        t.join();
    }
}

TEST(width, nests)
{
    const width_scope outer(3);
    {
        const width_scope wider(1000);
        leaves all;
        everything(all);
        all.expect(3, of_everything);
    }
    {
        const width_scope narrower(1);
        leaves all;
        everything(all);
        all.expect(1, of_everything);
    }
    leaves all;
    // Scopes inside of iterations share what the outer one has.
    artel::parallel_for(0, 6, [&](int) {
        const width_scope inner(2);
        everything(all);
    });
    all.expect(3, 6 * of_everything);
}

TEST(width, of_one_runs_on_the_callers_thread)
{
    const std::thread::id caller = std::this_thread::get_id();
    const width_scope scope(1);
    const auto here = [&] { EXPECT_EQ(std::this_thread::get_id(), caller); };
    artel::parallel_for(0, 1000, [&](int) { here(); });
    artel::parallel_invoke(here, here, here);
    artel::task_group group;
    for (int i = 0; i < 10; ++i) {
        group.run(here);
    }
    group.wait();
}

TEST(width, ends_with_its_scope)
{
    {
        const width_scope scope(1);
        EXPECT_EQ(artel::detail::loop_width(nullptr), 1u);
    }
    EXPECT_EQ(artel::detail::loop_width(nullptr), test::workers());
    try {
        const width_scope scope(2);
        artel::parallel_for(0, 100, [](int i) {
            if (i == 50) {
                throw test::failure(i);
            }
        });
        FAIL();
    } catch (const test::failure&) {
    }
    EXPECT_EQ(artel::detail::loop_width(nullptr), test::workers());
}

// The places that loops, tasks and calls have had are free again, also after exceptions.
TEST(width, places_come_back)
{
    artel::detail::width_budget scope;
    artel::detail::open_width(scope, 4);
    const unsigned others = std::min(4u, test::workers()) - 1;
    EXPECT_EQ(scope.free, others);
    for (int round = 0; round < 50; ++round) {
        leaves all;
        everything(all);
        EXPECT_THROW(artel::parallel_for(0, 50, [](int) { throw test::failure(1); }),
                     test::failure);
        EXPECT_THROW(artel::parallel_invoke([] { throw test::failure(1); }, [] {}), test::failure);
        EXPECT_THROW(artel::parallel_invoke([] {}, [] { throw test::failure(1); }), test::failure);
        artel::task_group group;
        group.run([] { throw test::failure(1); });
        EXPECT_THROW(group.wait(), test::failure);
        EXPECT_EQ(scope.free, others);
    }
    artel::detail::close_width(scope);
}

TEST(width, sums_and_scans_are_right)
{
    const width_scope scope(2);
    std::vector<long> values(10000);
    std::iota(values.begin(), values.end(), 1L);
    const auto sum = [&] {
        return artel::parallel_reduce(
            std::size_t{0}, values.size(), 0L, [&](std::size_t i) { return values[i]; },
            std::plus<>{});
    };
    EXPECT_EQ(sum(), 50005000);
    std::vector<long> running(values.size());
    artel::parallel_scan(
        artel::blocked_range<std::size_t>(0, values.size()), 0L,
        [&](const auto& piece, long before, bool is_final) {
            for (std::size_t i = piece.begin(); i < piece.end(); ++i) {
                before += values[i];
                if (is_final) {
                    running[i] = before;
                }
            }
            return before;
        },
        std::plus<>{});
    EXPECT_EQ(running.back(), 50005000);
    artel::parallel_for(0, 8, [&](int) { EXPECT_EQ(sum(), 50005000); });
}

// A group whose tasks found no place is waited for while others add to it.
TEST(width, tasks_that_are_added_while_somebody_waits_are_run)
{
    for (const unsigned most : {1u, 2u}) {
        for (int round = 0; round < 200; ++round) {
            const width_scope scope(most);
            std::atomic<int> count{0};
            artel::task_group group;
            std::atomic<bool> waits{false};
            std::thread other;
            group.run([&] {
                other = std::thread([&] {
                    for (int i = 0; i < 20; ++i) {
                        group.run([&] { ++count; });
                    }
                    waits = true;
                });
                group.run([&] { ++count; });
                while (!waits) {
                    std::this_thread::yield();
                }
            });
            group.wait();
            other.join();
            EXPECT_EQ(count, 21);
        }
    }
}

TEST(width, with_limits_of_its_own_a_group_keeps_both)
{
    const width_scope scope(2);
    for (const unsigned own : {1u, 3u}) {
        leaves all;
        artel::task_group group(artel::limit{.concurrency = own});
        for (int i = 0; i < 50; ++i) {
            group.run([&] { all.work(); });
        }
        group.wait();
        all.expect(std::min(own, 2u), 50);
    }
}

// The child of a fork is outside of the scopes that its parent was in, and leaves them all the
// same.
TEST(width, and_isolation_end_in_a_child_that_was_forked_inside)
{
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer forbids new threads in the child of a program with threads";
#endif
    for (const bool first_in_scope : {false, true}) {
        pid_t child = 0;
        {
            const width_scope scope(2);
            const artel::isolation alone;
            child = ::fork();
            if (child == 0 && first_in_scope) {
                leaves all;
                everything(all);
            }
        }
        if (child == 0) {
            ::alarm(60);
            std::atomic<int> ran{0};
            recurse_counting(6, ran);
            artel::task_group group;
            group.run([&] { ++ran; });
            group.wait();
            ::_exit(ran == 65 ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
}

TEST(width, in_c)
{
    artel_width_end();  // none is begun
    ASSERT_EQ(artel_width_begin(2), 0);
    ASSERT_EQ(artel_width_begin(1), 0);
    struct state {
        std::thread::id caller = std::this_thread::get_id();
        std::atomic<int> elsewhere{0};
        std::atomic<int> count{0};
    } all;
    const auto look = [](void* context) {
        state& s = *static_cast<state*>(context);
        s.elsewhere += std::this_thread::get_id() != s.caller ? 1 : 0;
        ++s.count;
    };
    const auto body = [](void* context, std::int64_t begin, std::int64_t end) {
        state& s = *static_cast<state*>(context);
        s.elsewhere += std::this_thread::get_id() != s.caller ? 1 : 0;
        s.count += static_cast<int>(end - begin);
    };
    artel_parallel_for(0, 1000, 1, body, &all);
    artel_par_do(look, &all, look, &all);
    EXPECT_EQ(all.elsewhere, 0);
    EXPECT_EQ(all.count, 1002);
    artel_width_end();
    EXPECT_EQ(artel::detail::loop_width(nullptr), std::min(2u, test::workers()));
    artel_width_end();
    EXPECT_EQ(artel::detail::loop_width(nullptr), test::workers());
}

}  // namespace
