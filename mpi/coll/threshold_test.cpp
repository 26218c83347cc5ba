// Where direct copies begin: the result for given times; and ranks that measure it agree and can
// exchange messages afterwards.
#include "coll/threshold.hpp"

#include "coll/ranks_test.hpp"
#include "shm/memory.hpp"
#include "shm/os.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using namespace artel;

TEST(Threshold, FollowsFromTheTimes)
{
    using rows = std::vector<coll::two_ways>;
    EXPECT_EQ(coll::threshold_of(rows{}), 0U);
    EXPECT_EQ(coll::threshold_of(rows{{1, 1, 0.5}, {2, 1, 0.5}}), 1U);
    EXPECT_EQ(coll::threshold_of(rows{{1, 1, 2}, {2, 1, 0.5}, {3, 1, 0.5}}), 2U);
    EXPECT_EQ(coll::threshold_of(rows{{1, 1, 0.5}, {2, 1, 2}, {3, 1, 0.5}}), 3U);
    EXPECT_EQ(coll::threshold_of(rows{{1, 1, 0.5}, {2, 1, 2}}), 0U);
    EXPECT_EQ(coll::threshold_of(rows{{1, 1, 0.99}}), 0U) << "no more than chance";
}

TEST(Threshold, IsRememberedByRanks)
{
    EXPECT_EQ(coll::known_direct_from(1001), coll::direct_unknown);
    coll::keep_direct_from(1001, 0);
    coll::keep_direct_from(1002, 4096);
    EXPECT_EQ(coll::known_direct_from(1001), 0U);
    EXPECT_EQ(coll::known_direct_from(1002), 4096U);
}

TEST(Threshold, RanksAgreeAndGoOn)
{
    constexpr unsigned ranks = 3;
    coll::settings s;
    s.direct_from = coll::direct_unknown;
    const coll::segment_shape shape = coll::lines_shape(s);
    const std::size_t exchange_at = shape.head + ranks * shape.area;
    const shm::memory memory = shm::memory::create(
        shm::memory::sort::memfd, "", false,
        exchange_at + ranks * coll::exchange_shape::of(s).bytes());
    const shm::waiter waiting(shm::crowded_limits, coll::nothing, coll::nothing, nullptr);
    std::vector<std::uint64_t> found(ranks, 1);
    std::atomic<std::size_t> wrong{0};
    coll::run_ranks(ranks, [&](unsigned r) {
        coll::party p;
        p.rank = r;
        p.chosen = s;
        p.crowded = true;
        p.direct = true;
        p.segment = memory.data();
        p.members.assign(ranks, {::getpid(), 0, {0, 0}});
        const auto channel = coll::make_lines_channel(p, waiting);
        coll::exchange all(p, waiting, memory.data() + exchange_at, nullptr, nullptr);
        found[r] = coll::find_direct_from(*channel, all, r);
        for (unsigned root = 0; root < ranks; ++root) {
            std::vector<unsigned> numbers(3U << 20, r);
            const artel_message m{numbers.data(), numbers.size() * sizeof(unsigned), nullptr,
                                  nullptr};
            wrong += channel->broadcast(m, root) != shm::status::ok ? 1 : 0;
            wrong += numbers.size() -
                     static_cast<std::size_t>(std::count(numbers.begin(), numbers.end(), root));
        }
        wrong += all.barrier() != shm::status::ok ? 1 : 0;
    });
    EXPECT_EQ(wrong.load(), 0U);
    EXPECT_EQ(found, std::vector<std::uint64_t>(ranks, found[0]));
    EXPECT_TRUE(found[0] == 0 || (found[0] >= 64U << 10 && found[0] <= 16U << 20)) << found[0];
}

}  // namespace
