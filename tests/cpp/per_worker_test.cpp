// per_worker: one value for each worker, whoever asks, however many.
#include "support.hpp"

#include <set>
#include <string>

namespace {

TEST(per_worker, sums_what_all_iterations_add)
{
    artel::per_worker<long> sums;
    EXPECT_TRUE(sums.empty());
    EXPECT_EQ(sums.combine(), 0);
    for (int round = 1; round <= 20; ++round) {
        artel::parallel_for(0, 10000, [&](int i) { sums.local() += i; }, artel::simple{});
        EXPECT_EQ(sums.combine(), round * 49995000L);
    }
    long again = 0;
    sums.for_each([&](long x) { again += x; });
    EXPECT_EQ(again, sums.combine([](long a, long b) { return a + b; }));
    EXPECT_GE(sums.size(), 1u);
    EXPECT_LE(sums.size(), artel::worker_index_end());
    sums.clear();
    EXPECT_EQ(sums.size(), 0u);
    sums.local() = 3;
    EXPECT_EQ(sums.combine(), 3);
}

TEST(per_worker, makes_a_value_when_first_asked)
{
    std::atomic<int> made{0};
    artel::per_worker<std::string> words([&] { return std::to_string(++made); });
    EXPECT_EQ(made, 0);
    bool existed = true;
    EXPECT_EQ(words.local(existed), "1");
    EXPECT_FALSE(existed);
    words.local(existed) += "!";
    EXPECT_TRUE(existed);
    EXPECT_EQ(made, 1);
    EXPECT_EQ(std::as_const(words).combine(), "1!");
    const artel::per_worker<std::string> copies(std::string("first"));
    EXPECT_EQ(copies.combine(), "first");
}

TEST(per_worker, gives_nobody_the_value_of_another)
{
    struct alignas(128) owner {
        std::atomic<int> users{0};
        owner() = default;
        owner(owner&&) noexcept {}
        owner& operator=(owner&&) = delete;
    };
    artel::per_worker<owner> owners;
    test::on_threads(12, [&](unsigned) {
        artel::parallel_for(
            0, 200,
            [&](int) {
                owner& mine = owners.local();
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&mine) % 128, 0u);
                EXPECT_EQ(mine.users.fetch_add(1), 0);
                test::work_for(std::chrono::microseconds(1));
                EXPECT_EQ(&owners.local(), &mine);
                mine.users.fetch_sub(1);
            },
            artel::simple{});
    });
}

TEST(per_worker, tries_again_when_making_a_value_has_thrown)
{
    int calls = 0;
    artel::per_worker<int> values([&]() -> int {
        if (++calls < 3) {
            throw test::failure(calls);
        }
        return 5;
    });
    EXPECT_THROW(values.local(), test::failure);
    EXPECT_THROW(values.local(), test::failure);
    EXPECT_EQ(values.local(), 5);
    EXPECT_EQ(values.size(), 1u);
}

TEST(per_worker, destroys_each_value_once)
{
    static std::atomic<int> alive{0};
    struct counted {
        counted() { ++alive; }
        counted(const counted&) { ++alive; }
        counted& operator=(const counted&) = default;
        ~counted() { --alive; }
        char large[100000] = {};
    };
    {
        artel::per_worker<counted> values;
        artel::parallel_for(0, 500, [&](int i) { values.local().large[i] = 1; }, artel::simple{});
        EXPECT_EQ(alive, static_cast<int>(values.size()));
        values.clear();
        EXPECT_EQ(alive, 0);
        values.local();
    }
    EXPECT_EQ(alive, 0);
}

}  // namespace
