// The formulas with the parameters of the paper's figure 4, term by term, and the best fragment as
// a minimum. An error would only choose bad sizes, which no other test notices.
#include "coll/model.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace artel::coll;

// The paper's figure 4: m = 16 MB, b = 4 MB, q = 1, t = 1 ns, t_WO = 100 t, t_A = 10 t, t_W = 50 t.
constexpr model_times figure_4{1e-9, 50e-9, 100e-9, 10e-9};
constexpr std::size_t MB = 1 << 20;

TEST(Model, TermsOfTheFormula)
{
    const queue_shape queue{8192, 512, 1};
    const double expected = 4 * 110e-9 + 4 * 8192e-9 + 2048 * 50e-9 + 16 * MB * 1e-9;
    EXPECT_NEAR(broadcast_time(figure_4, queue, 16 * MB), expected, 1e-12);
    // Two sets: opened twice as often, but the pipeline does not run empty in between.
    EXPECT_NEAR(broadcast_time(figure_4, {8192, 512, 2}, 16 * MB),
                expected + 4 * 110e-9 - 3 * 8192e-9, 1e-12);
    // The others copy out in half of the time.
    model_times other = figure_4;
    other.quicker = 0.5e-9;
    EXPECT_NEAR(broadcast_time(other, queue, 16 * MB), expected - 4 * 4096e-9, 1e-12);
    // m < f: one fragment, of the message's own size.
    EXPECT_NEAR(broadcast_time(figure_4, queue, 1000), 110e-9 + 1000e-9 + 50e-9 + 1000e-9, 1e-12);
}

TEST(Model, BestFragmentIsTheMinimum)
{
    const double best = best_fragment(figure_4, 4 * MB, 16 * MB);
    EXPECT_NEAR(best, std::sqrt(16.0 * MB * 50 / 4), 1);
    // If every use of the queue pays for a first copy, as in the derivation, neighbouring values
    // are no better.
    const auto derived = [](double f) { return 4 * f * 1e-9 + 16.0 * MB / f * 50e-9; };
    EXPECT_LT(derived(best), derived(best * 1.2));
    EXPECT_LT(derived(best), derived(best / 1.2));
}

TEST(Model, RoundsToPagesAndFitsIntoASet)
{
    const std::size_t f = best_fragment_in_pages(figure_4, 4 * MB, 1, 16 * MB, 4096);
    EXPECT_EQ(f % 4096, 0U);
    EXPECT_EQ(f, 16384U);
    // Notifications so expensive that the best fragment is larger than a set.
    constexpr model_times slow{1e-9, 1e-5, 1e-7, 1e-8};
    EXPECT_EQ(best_fragment_in_pages(slow, 64 * 1024, 4, MB, 4096), 16384U);
    EXPECT_EQ(best_fragment_in_pages(figure_4, 4096, 4, MB, 4096), 4096U);
}

TEST(Model, OnlyTheMessageKnown)
{
    const queue_shape queue = shape_for_message(16 * MB, 4096);
    EXPECT_EQ(queue.fragment, 4096U);
    EXPECT_EQ(queue.length, 4096U);
    EXPECT_EQ(shape_for_message(64 * MB, 4096).fragment, 8192U);
}

}  // namespace
