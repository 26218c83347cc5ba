// How long the rest of a run may take.
#include "lab/progress.hpp"
#include "lab/testing.hpp"

#include <gtest/gtest.h>

using namespace artel::lab;
using namespace artel::lab::testing;

TEST(LabEstimate, JudgesByTheLikeOfIt)
{
    estimate known;
    EXPECT_FALSE(known.of(cell_of("rows", "T", 1)));
    known.add(cell_of("rows", "T", 1), 40);
    known.add(cell_of("rows", "T", 1, 1), 60);
    known.add(cell_of("rows", "T", 64), 2);
    EXPECT_EQ(known.of(cell_of("rows", "T", 1, 2)), 50);  // other repeats
    EXPECT_EQ(known.of(cell_of("rows", "T", 128)), 2);    // the nearest number of tasks
    EXPECT_EQ(known.of(cell_of("rows", "T", 2)), 50);
    EXPECT_EQ(known.of(cell_of("rows", "P", 1)), 34);  // another variant: all of the workload
    EXPECT_FALSE(known.of(cell_of("tiles", "T", 1)));
    auto larger = cell_of("rows", "T", 1);
    larger.size *= 2;
    EXPECT_FALSE(known.of(larger));
}

TEST(LabEstimate, TheRestInWords)
{
    estimate known;
    const std::vector<cell> left{cell_of("rows", "T", 1), cell_of("rows", "P", 1),
                                 cell_of("tiles", "P", 1)};
    EXPECT_EQ(rest_in_words(known.of(left)), "");
    known.add(left[0], 300);
    EXPECT_EQ(known.of(left).unknown, 1u);
    EXPECT_EQ(rest_in_words(known.of(left)), "more than 10 min");
    known.add(left[2], 60);
    EXPECT_EQ(rest_in_words(known.of(left)), "about 11 min");
    EXPECT_EQ(duration_in_words(89), "89 s");
    EXPECT_EQ(duration_in_words(7200), "2.0 h");
}
