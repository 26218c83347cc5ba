// The measurement among threads as ranks: it ends, all get the same numbers, and the numbers are
// plausible.
#include "coll/measure.hpp"

#include "coll/ranks_test.hpp"
#include "shm/memory.hpp"
#include "shm/os.hpp"

#include <gtest/gtest.h>

namespace {

using namespace artel;

std::vector<coll::model_times> measured(unsigned ranks, std::size_t tail,
                                        const coll::measured_message& message = {})
{
    const std::size_t area = 5 * shm::page_size() + tail;
    const shm::memory memory = shm::memory::create(shm::memory::sort::memfd, "", false,
                                                   shm::page_size() + ranks * area);
    const shm::waiter waiting(shm::crowded_limits, coll::nothing, coll::nothing, nullptr);
    const coll::measured_segment segment{memory.data() + shm::page_size(), area, tail};
    std::vector<coll::model_times> found(ranks);
    coll::run_ranks(ranks, [&](unsigned r) {
        EXPECT_EQ(coll::measure_times(segment, r, ranks, 6, message, waiting, found[r]),
                  shm::status::ok);
        // From here on only the owner uses the tail.
        std::fill_n(segment.areas + (r + 1) * area - tail, tail, std::byte{0xFF});
    });
    return found;
}

TEST(Measure, AllGetTheSame)
{
    for (const unsigned ranks : {2U, 3U, 7U}) {
        for (const auto& times = measured(ranks, 20 * shm::page_size());
             const coll::model_times& t : times) {
            EXPECT_EQ(t.per_byte, times[0].per_byte);
            EXPECT_EQ(t.notify, times[0].notify);
            EXPECT_GT(t.per_byte, 0);
            EXPECT_GT(t.notify, 0);
            EXPECT_GT(t.set_wait, 0);
            EXPECT_GT(t.atomic, 0);
        }
    }
}

TEST(Measure, OneReaderHandsBackWhereItIsTold)
{
    const std::size_t tail = 20 * shm::page_size();
    EXPECT_TRUE(measured(2, tail, {coll::choice::on})[1].hand_back);
    EXPECT_FALSE(measured(2, tail, {coll::choice::off})[1].hand_back);
    EXPECT_FALSE(measured(3, tail, {coll::choice::on})[1].hand_back);
    const auto both = measured(2, tail);
    EXPECT_EQ(both[0].hand_back, both[1].hand_back);
}

TEST(Measure, MessagesOfAnySize)
{
    for (const std::uint64_t bytes : {1ULL, 5000ULL, 100001ULL, 3000000ULL}) {
        for (const coll::model_times& t :
             measured(3, 20 * shm::page_size(), {coll::choice::off, bytes})) {
            EXPECT_GT(t.per_byte, 0);
        }
    }
}

TEST(Measure, WithoutRoomItAssumes)
{
    for (const coll::model_times& t : measured(2, shm::page_size())) {
        EXPECT_EQ(t.notify, coll::assumed_times.notify);
    }
}

}  // namespace
