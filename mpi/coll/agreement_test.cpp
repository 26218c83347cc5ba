// Ranks with different environments agree on when to set up, and say what differs. Otherwise some
// ranks would begin the set-up and wait there for the others for ever.
#include "coll/agreement.hpp"

#include "coll/ranks_test.hpp"
#include "coll/setup.hpp"

#include <gtest/gtest.h>

#include <array>
#include <barrier>
#include <cstring>

namespace {

using namespace artel::coll;

// An allgather among threads.
struct meeting {
    explicit meeting(unsigned ranks) : all(ranks) {}

    std::vector<std::uint32_t> all;
    std::barrier<> met{static_cast<std::ptrdiff_t>(all.size())};
};

struct attendant {
    meeting* where;
    unsigned rank;
};

int gather(void* context, const void* own, void* all, int bytes_each)
{
    const auto& a = *static_cast<attendant*>(context);
    EXPECT_EQ(bytes_each, 4);
    std::memcpy(&a.where->all[a.rank], own, 4);
    a.where->met.arrive_and_wait();
    std::memcpy(all, a.where->all.data(), 4 * a.where->all.size());
    a.where->met.arrive_and_wait();
    return 0;
}

TEST(Agreement, TheFirstRankSaysWhenACommunicatorIsSetUp)
{
    constexpr std::array<std::uint32_t, 3> wanted{7, 0, 3};
    meeting here(wanted.size());
    testing::internal::CaptureStderr();
    run_ranks(wanted.size(), [&](unsigned rank) {
        attendant a{&here, rank};
        settings own;
        own.setup_after = wanted[rank];
        const bootstrap b{static_cast<int>(rank), wanted.size(), &a, gather, nothing};
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(agreed_setup_after(b, own), 7U);
        }
    });
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "artel: ARTEL_MPI_SETUP_AFTER is 7 in rank 0 and 0 in rank 1: that of rank 0 counts for "
        "all\n");
}

TEST(Agreement, NeverWhereTheRanksCannotBeAsked)
{
    const bootstrap b{0, 2, nullptr, [](void*, const void*, void*, int) { return 1; }, nothing};
    EXPECT_EQ(agreed_setup_after(b, settings{}), never);
}

TEST(Agreement, NamesTheFirstDifferenceAndWhoHasIt)
{
    settings first, same, other;
    same.verbose = 1;
    same.enabled = 0;
    other.sets = 9;
    const std::array<const settings*, 3> alike{&first, &same, &first},
        differing{&first, &same, &other};
    EXPECT_EQ(difference(alike), "");
    EXPECT_EQ(difference(differing),
              "ARTEL_MPI_SETS is 4 in rank 0 and 9 in rank 2: that of rank 0 counts for all");
}

}  // namespace
