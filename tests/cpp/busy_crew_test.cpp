// Loops inside a crew that has nobody to spare: run by their callers as long as that lasts, and
// nothing may depend on it.
#include "support.hpp"
#include "work.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <list>
#include <thread>
#include <vector>

namespace {

// Keeps a worker busy until then, but not for ever: whoever waits for a loop may be given an
// iteration that waits for what comes after that loop.
void stay_busy_until(const std::atomic<bool>& over)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (!over && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
    }
}

}  // namespace

TEST(busy_crew, short_and_long_loops_run_every_iteration_once)
{
    for (const int n : {1, 2, 3, 5, 9, 17, 64, 65, 1000, 20000}) {
        constexpr int turns = 20;
        const auto workers = static_cast<int>(test::workers());
        std::list<test::counted> kept;
        std::vector<test::counted*> loops;
        for (int i = 0; i < workers * turns; ++i) {
            loops.push_back(&kept.emplace_back(static_cast<std::size_t>(n)));
        }
        artel::parallel_for(0, workers, [&](int place) {
            for (int turn = 0; turn < turns; ++turn) {
                artel::parallel_for(0, n, [&](int i) {
                    // Some are a thousand times as dear as the others: what was learned of them is
                    // wrong.
                    if (turn % 7 == 3 && i % 64 == 0) {
                        test::work_for(std::chrono::microseconds(20));
                    }
                    loops[static_cast<std::size_t>(place * turns + turn)]->hit(
                        static_cast<std::size_t>(i));
                });
            }
        });
        for (const test::counted& each : kept) {
            each.expect(1);
        }
    }
}

TEST(busy_crew, whoever_becomes_free_joins)
{
    if (test::workers() == 1) {
        GTEST_SKIP() << "nobody to join";
    }
    // The first loops teach that nobody comes. On a loaded machine nobody else may get a CPU in
    // time, so it is tried more than once.
    std::atomic<bool> joined{false};
    for (int attempt = 0; attempt < 200 && !joined; ++attempt) {
        std::atomic<bool> over{false};
        artel::parallel_for(0, static_cast<int>(test::workers()), [&](int place) {
            for (int turn = 0; place == 0 && turn < 20; ++turn) {
                const auto me = std::this_thread::get_id();
                artel::parallel_for(0, 1000, [&](int) {
                    if (turn == 19) {
                        test::work_for(std::chrono::microseconds(2));
                    }
                    if (std::this_thread::get_id() != me) {
                        joined = true;
                    }
                });
                if (turn == 18) {
                    over = true;  // the others end now
                }
            }
            if (place != 0) {
                stay_busy_until(over);
            }
        });
    }
    EXPECT_TRUE(joined);
}

TEST(busy_crew, a_loop_is_not_run_in_tiny_pieces_because_others_from_its_place_were_dear)
{
    if (std::getenv("ARTEL_LOOP") != nullptr) {
        GTEST_SKIP() << "about the default";
    }
    constexpr int cheap = 1000000;
    std::atomic<int> calls{0};
    const auto loop = [&calls](int n, std::chrono::microseconds cost) {
        artel::parallel_for(artel::blocked_range<int>(0, n),
                            [&calls, cost](const artel::blocked_range<int>& piece) {
                                ++calls;
                                for (int i = piece.begin(); cost.count() != 0 && i < piece.end();
                                     ++i) {
                                    test::work_for(cost);
                                }
                            });
    };
    std::atomic<bool> done{false};
    artel::parallel_for(0, static_cast<int>(test::workers()), [&](int place) {
        if (place == 0) {
            for (int turn = 0; turn < 5; ++turn) {
                loop(200, std::chrono::microseconds(20));
            }
            calls = 0;
            loop(cheap, std::chrono::microseconds(0));
            done = true;
        }
        stay_busy_until(done);
    });
    EXPECT_LT(calls, cheap / 100);
}

TEST(busy_crew, an_exception_ends_its_loop_alone)
{
    std::atomic<int> caught{0};
    std::atomic<int> after{0};
    artel::parallel_for(0, static_cast<int>(test::workers()), [&](int) {
        for (int turn = 0; turn < 50; ++turn) {
            try {
                artel::parallel_for(0, 300, [&, turn](int i) {
                    if (turn >= 10 && i == 7 * turn % 300) {
                        throw test::failure(i);
                    }
                });
                ++after;
            } catch (const test::failure&) {
                ++caught;
            }
        }
    });
    EXPECT_EQ(after, 10 * static_cast<int>(test::workers()));
    EXPECT_EQ(caught, 40 * static_cast<int>(test::workers()));
}

// What was learned from cheap iterations must not keep the others out of dear ones.
TEST(busy_crew, a_loop_that_turns_out_long_is_opened_though_busy_workers_may_be_blocked)
{
    const unsigned cpus = std::thread::hardware_concurrency();
    if (test::workers() <= cpus + 1 || test::workers() > 16 ||
        std::getenv("ARTEL_LOOP") != nullptr) {
        GTEST_SKIP() << "about the default, with somewhat more workers than CPUs";
    }
    std::atomic<bool> over{false};
    std::atomic<unsigned> asleep{0};
    std::atomic<int> by_others{0};
    test::on_all_workers([&](int place) {
        if (place >= 1 && place <= static_cast<int>(cpus)) {
            ++asleep;
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
            while (!over && std::chrono::steady_clock::now() < deadline) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            return;
        }
        if (place != 0) {
            return;
        }
        // Not for ever: nobody promises that the others come.
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        while (asleep < cpus && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::yield();
        }
        const auto me = std::this_thread::get_id();
        for (int turn = 0; turn < 305; ++turn) {
            artel::parallel_for(0, 1024, [&, turn](int i) {
                if (turn >= 300 && i >= 128) {
                    std::this_thread::sleep_for(std::chrono::microseconds(100));
                    by_others += std::this_thread::get_id() != me ? 1 : 0;
                }
            });
        }
        over = true;
    });
    EXPECT_GT(by_others, 0);
}

TEST(busy_crew, loops_of_the_c_interface_run_every_iteration_once)
{
    for (const int n : {0, 1, 2, 3, 64, 1000}) {
        const auto workers = static_cast<std::size_t>(test::workers());
        std::vector<std::vector<int>> hits(workers, std::vector<int>(static_cast<std::size_t>(n)));
        test::on_all_workers([&](int place) {
            for (int turn = 0; turn < 20; ++turn) {
                artel_parallel_for(
                    0, n, 1,
                    [](void* context, int64_t begin, int64_t end) {
                        auto& mine = *static_cast<std::vector<int>*>(context);
                        for (; begin < end; ++begin) {
                            ++mine[static_cast<std::size_t>(begin)];
                        }
                    },
                    &hits[static_cast<std::size_t>(place)]);
            }
        });
        for (const auto& place : hits) {
            EXPECT_EQ(place, std::vector<int>(static_cast<std::size_t>(n), 20));
        }
    }
}

TEST(busy_crew, fourths_make_up_the_loop)
{
    for (std::int64_t n = 1; n <= 70; ++n) {
        for (std::int64_t least = 1; least <= n + 1; ++least) {
            std::int64_t at = 0;
            int pieces = 0;
            const auto piece = [&](std::int64_t begin, std::int64_t end) {
                EXPECT_EQ(begin, at);
                EXPECT_TRUE(end - begin >= std::min(least, n) || end == n);
                at = end;
                ++pieces;
            };
            EXPECT_EQ(artel::detail::run_in_fourths(n, least, piece, [] { return true; }), n);
            EXPECT_EQ(at, n);
            EXPECT_LE(pieces, 7);
            for (int stop = 1, all = pieces; stop <= all; ++stop) {
                at = 0;
                int asked = 0;
                const std::int64_t left = artel::detail::run_in_fourths(
                    n, least, piece, [&] { return ++asked != stop; });
                EXPECT_EQ(left, at);
                EXPECT_EQ(left == n, stop == all);
            }
        }
    }
}

TEST(busy_crew, the_largest_grain_makes_one_piece)
{
    int calls = 0;
    const auto piece = [&](std::int64_t begin, std::int64_t end) {
        ++calls;
        EXPECT_EQ(begin, 0);
        EXPECT_EQ(end, 9);
    };
    EXPECT_EQ(artel::detail::run_in_fourths(9, std::numeric_limits<std::int64_t>::max(), piece,
                                            [] { return true; }),
              9);
    EXPECT_EQ(calls, 1);
}
