// Which kept segment the ranks choose, and how many are kept. Ranks that chose differently, or one
// that others may still be using, would overwrite each other's messages.
#include "coll/segment_cache.hpp"

#include "coll/known_times.hpp"

#include <array>
#include <gtest/gtest.h>

namespace {

using namespace artel;
using names = std::array<coll::segment_name, coll::most_cached_segments>;

coll::segment_name name(std::uint64_t token, std::uint32_t rank, std::uint32_t ranks,
                        std::uint64_t settings = 7)
{
    return {{token, ~token}, settings, rank, ranks};
}

std::size_t common(const std::vector<names>& offered, std::uint64_t settings = 7)
{
    std::vector<const coll::segment_name*> all;
    for (const names& n : offered) {
        all.push_back(n.data());
    }
    return coll::common_segment(all, settings);
}

coll::cached_segment made(int numa, std::uint32_t mark)
{
    coll::cached_segment s;
    s.memory = shm::memory::create(shm::memory::sort::memfd, "", false, shm::page_size());
    s.numa = numa;
    s.name.rank = mark;
    return s;
}

TEST(SegmentCache, ChosenOnlyIfAllHaveItInTheSameOrder)
{
    EXPECT_EQ(common({{name(1, 0, 2), name(2, 0, 2)}, {name(2, 1, 2), name(3, 1, 2)}}), 1U);
    EXPECT_EQ(common({{name(1, 0, 2)}, {name(2, 1, 2)}}), coll::most_cached_segments);
    // The ranks have changed places.
    EXPECT_EQ(common({{name(1, 1, 2)}, {name(1, 0, 2)}}), coll::most_cached_segments);
    // A third rank shares it, which may still be using it.
    EXPECT_EQ(common({{name(1, 0, 3)}, {name(1, 1, 3)}}), coll::most_cached_segments);
    EXPECT_EQ(common({{name(1, 0, 3)}, {name(1, 1, 3)}, {name(1, 2, 3)}}), 0U);
    // Other settings.
    EXPECT_EQ(common({{name(1, 0, 2)}, {name(1, 1, 2)}}, 8), coll::most_cached_segments);
    // No names: none in common.
    EXPECT_EQ(common({{}, {}}), coll::most_cached_segments);
}

TEST(SegmentCache, FewAreKeptAndOnlyThoseOfTheNodeAreTaken)
{
    coll::take_cached_segments(0);
    for (std::uint32_t i = 0; i < coll::most_cached_segments + 2; ++i) {
        coll::cache_segment(made(0, i));
    }
    coll::cache_segment(made(1, 100));
    const auto here = coll::take_cached_segments(0);
    ASSERT_EQ(here.size(), coll::most_cached_segments - 1);
    EXPECT_EQ(here[0].name.rank, coll::most_cached_segments + 1);
    EXPECT_TRUE(coll::take_cached_segments(0).empty());
    EXPECT_EQ(coll::take_cached_segments(1).size(), 1U);
}

// A communicator that is to measure its times must not get a segment that has some.
TEST(SegmentCache, NoneIsLeftWhenTimesAreForgotten)
{
    coll::keep_times(2, 4096, {});
    coll::cache_segment(made(0, 1));
    coll::cache_segment(made(1, 2));
    coll::forget_times();
    coll::model_times times;
    EXPECT_FALSE(coll::find_times(2, 4096, times));
    EXPECT_TRUE(coll::take_cached_segments(0).empty());
    EXPECT_TRUE(coll::take_cached_segments(1).empty());
}

TEST(SegmentCache, DigestSeesEverySetting)
{
    coll::settings a, b;
    b.queue_bytes = a.queue_bytes * 2;
    EXPECT_NE(coll::digest_of(a), coll::digest_of(b));
    EXPECT_EQ(coll::digest_of(a), coll::digest_of(coll::settings{}));
}

}  // namespace
