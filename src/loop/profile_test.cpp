// Profiles of machines: the permitted contents of a file, and the values derived without one.
#include "loop/profile.hpp"

#include <gtest/gtest.h>

namespace {

using namespace artel::loop;

constexpr const char* good = R"({"format": 1, "machine": "M", "widths": [
    {"threads": 16, "fan_out": 3, "timespan_ns": 4000},
    {"threads": 2, "fan_out": 1, "timespan_ns": 500.5, "more": 1}]})";

}  // namespace

TEST(profile, is_read_in_the_order_of_widths)
{
    const profile p = parse_profile(good, "M");
    EXPECT_EQ(p.problem, "");
    ASSERT_TRUE(p.found());
    ASSERT_EQ(p.widths.size(), 2u);
    EXPECT_EQ(p.widths[0].threads, 2u);
    EXPECT_EQ(p.widths[0].timespan_ns, 500.5);
    EXPECT_EQ(p.widths[1].fan_out, 3u);
}

TEST(profile, that_is_not_right_counts_as_none_and_says_why)
{
    const auto problem = [](const char* text) {
        const profile p = parse_profile(text, "M");
        EXPECT_FALSE(p.found()) << text;
        return p.problem;
    };
    EXPECT_EQ(problem(""), "it is not JSON");
    EXPECT_EQ(problem("{"), "it is not JSON");
    EXPECT_EQ(problem("[]"), "something is missing in it");
    EXPECT_EQ(problem("{}"), "something is missing in it");
    EXPECT_EQ(problem(R"({"format": 2})"), "it is of another version");
    EXPECT_EQ(problem(R"({"format": 1, "machine": "N", "widths": []})"),
              "it is of another machine");
    EXPECT_EQ(problem(R"({"format": 1, "machine": "M", "widths": []})"), "it holds no measurement");
    EXPECT_EQ(problem(R"({"format": 1, "machine": "M", "widths": [{"threads": "2"}]})"),
              "something is missing in it");
    for (const char* const width : {R"({"threads": 1, "fan_out": 2, "timespan_ns": 1})",
                                    R"({"threads": 2, "fan_out": 0, "timespan_ns": 1})",
                                    R"({"threads": 2, "fan_out": 2, "timespan_ns": -1})",
                                    R"({"threads": 99999, "fan_out": 2, "timespan_ns": 1})"}) {
        EXPECT_EQ(
            problem((std::string(R"({"format": 1, "machine": "M", "widths": [)") + width + "]}")
                        .c_str()),
            "a number in it is out of range");
    }
}

TEST(profile, a_measurement_that_was_interrupted_for_long_does_not_spoil_the_others)
{
    const profile p = parse_profile(
        R"({"format": 1, "machine": "M", "widths": [{"threads": 2, "fan_out": 1, "timespan_ns": 3870},
            {"threads": 64, "fan_out": 2, "timespan_ns": 1e99}]})",
        "M");
    ASSERT_EQ(p.widths.size(), 2u);
    EXPECT_EQ(p.widths[0].timespan_ns, 3870);
    EXPECT_LE(p.widths[1].timespan_ns, 1e8);
}

TEST(profile, the_depth_of_a_tree_is_that_of_its_longest_branch)
{
    EXPECT_EQ(depth_of_tree(1, 2), 0u);
    EXPECT_EQ(depth_of_tree(2, 2), 1u);
    EXPECT_EQ(depth_of_tree(3, 2), 1u);
    EXPECT_EQ(depth_of_tree(4, 2), 2u);
    EXPECT_EQ(depth_of_tree(7, 2), 2u);
    EXPECT_EQ(depth_of_tree(8, 2), 3u);
    EXPECT_EQ(depth_of_tree(8, 1), 7u);
    EXPECT_EQ(depth_of_tree(8, 7), 1u);
    EXPECT_EQ(depth_of_tree(1024, 2), 10u);
}

TEST(profile, values_are_derived_from_the_nearest_width_that_was_measured)
{
    const profile p = parse_profile(good, "M");
    EXPECT_EQ(derive(p, 2, 64).timespan_ns, 500.5);
    EXPECT_EQ(derive(p, 16, 64).timespan_ns, 4000);
    EXPECT_EQ(derive(p, 16, 64).fan_out, 3u);
    EXPECT_EQ(derive(p, 3, 64).fan_out, 1u);
    EXPECT_EQ(derive(p, 3, 64).timespan_ns, 1001);  // two steps instead of one
    EXPECT_EQ(derive(p, 64, 64).fan_out, 3u);
    EXPECT_GT(derive(p, 64, 64).timespan_ns, 4000);
    // Two CPUs: 16 threads were measured sharing them; only that applies to 32.
    EXPECT_EQ(derive(p, 32, 2).fan_out, 3u);
    EXPECT_EQ(derive(p, 2, 2).fan_out, 1u);
}

TEST(profile, without_one_a_larger_tree_takes_longer)
{
    const profile none;
    double before = 0;
    for (const unsigned threads : {2u, 4u, 8u, 64u, 1024u}) {
        const width_profile w = derive(none, threads, 1024);
        EXPECT_EQ(w.threads, threads);
        EXPECT_GE(w.fan_out, 1u);
        EXPECT_GT(w.timespan_ns, before);
        before = w.timespan_ns;
    }
    EXPECT_GT(derive(none, 4, 2).timespan_ns, derive(none, 4, 4).timespan_ns);
}

TEST(profile, distributions_can_be_asked_for_any_width)
{
    for (const unsigned threads : {1u, 2u, 64u, 4096u}) {
        EXPECT_GE(distribution_for(threads).fan_out, 1u);
        EXPECT_EQ(distribution_for(threads).timespan, distribution_for(threads).timespan);
    }
}
