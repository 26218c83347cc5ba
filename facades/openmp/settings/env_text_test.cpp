// Accepted and refused texts of each kind of value. A parser that takes too much would apply a
// mistyped variable in silence; one that takes too little would ignore what libgomp accepts.
#include "env_text.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace artel::openmp {
namespace {

TEST(EnvText, SwitchesAreWordsInAnyCaseWithBlanksAround)
{
    EXPECT_EQ(parse_switch("true"), true);
    EXPECT_EQ(parse_switch("  FALSE\t"), false);
    for (const char* bad : {"", "1", "yes", "truee", "tru", "true false"}) {
        EXPECT_FALSE(parse_switch(bad).has_value()) << bad;
    }
}

TEST(EnvText, CountsAreWholeNumbersFromALeastOne)
{
    EXPECT_EQ(parse_count("17", 1), 17u);
    EXPECT_EQ(parse_count(" 010 ", 1), 10u);
    EXPECT_EQ(parse_count("08", 1), 8u);
    EXPECT_EQ(parse_count("0", 0), 0u);
    for (const char* bad : {"", "0", "-1", "3 4", "3x", "0x10", "99999999999999999999"}) {
        EXPECT_FALSE(parse_count(bad, 1).has_value()) << bad;
    }
}

TEST(EnvText, NumbersOfCpusAreAsInC)
{
    std::uint64_t number = 0;
    for (const auto& [text, value] : {std::pair{" 0x1f", 31u}, {"010", 8u}, {"9", 9u}, {"0", 0u}}) {
        text_reader reader(text);
        EXPECT_TRUE(reader.take_c_number(number) && reader.at_end()) << text;
        EXPECT_EQ(number, value) << text;
    }
    EXPECT_FALSE(text_reader("x").take_c_number(number));
}

TEST(EnvText, StackSizesHaveUnits)
{
    EXPECT_EQ(parse_stack_size("2000"), 2000u * 1024);
    EXPECT_EQ(parse_stack_size("3145728B"), 3145728u);
    EXPECT_EQ(parse_stack_size("512 k "), 512u * 1024);
    EXPECT_EQ(parse_stack_size(" 1M"), 1u << 20);
    EXPECT_EQ(parse_stack_size("2g"), std::size_t{2} << 30);
    for (const char* bad : {"", "k", "1z", "1 k k", "-4", "99999999999999999g"}) {
        EXPECT_FALSE(parse_stack_size(bad).has_value()) << bad;
    }
}

TEST(EnvText, SizesOfLibompHaveOtherUnits)
{
    EXPECT_EQ(parse_libomp_size("2000", 0), 2000u);
    EXPECT_EQ(parse_libomp_size("2000", 10), 2000u * 1024);
    EXPECT_EQ(parse_libomp_size("512MB", 10), 512u << 20);
    EXPECT_EQ(parse_libomp_size("512kb", 0), 512u << 10);
    EXPECT_EQ(parse_libomp_size("64b", 10), 64u);
    EXPECT_EQ(parse_libomp_size(" 1 T ", 0), std::size_t{1} << 40);
    for (const char* bad : {"", "mb", "1x", "1bb", "1k k", "-4", "99e"}) {
        EXPECT_FALSE(parse_libomp_size(bad, 0).has_value()) << bad;
    }
}

TEST(EnvText, SchedulesOfTheStandardOfLibompAndOfArtel)
{
    const auto kind = [](const char* text) { return parse_schedule(text).kind; };
    EXPECT_EQ(kind("static"), schedule_kind::static_);
    EXPECT_EQ(kind("Dynamic , 4"), schedule_kind::dynamic);
    EXPECT_EQ(parse_schedule("Dynamic , 4").chunk, 4u);
    EXPECT_EQ(kind("auto"), schedule_kind::automatic);
    EXPECT_EQ(kind("static_steal,3"), schedule_kind::shared);
    EXPECT_EQ(kind("trapezoidal"), schedule_kind::trapezoidal);
    for (const char* name :
         {"artel", "automatic", "simple", "lazy", "heartbeat", "timespan", "timespan-grain,2"}) {
        EXPECT_EQ(kind(name), schedule_kind::shared) << name;
    }
    EXPECT_EQ(kind("monotonic:lazy"), schedule_kind::dynamic);
    EXPECT_EQ(kind("nonmonotonic:lazy"), schedule_kind::shared);
    EXPECT_FALSE(kind("lazier").has_value() && !parse_schedule("lazier").bad_chunk);
    EXPECT_FALSE(kind("foo").has_value());
    EXPECT_TRUE(parse_schedule("guided,").bad_chunk);
}

TEST(EnvText, SpinCounts)
{
    EXPECT_EQ(parse_spin_count("123"), 123u);
    EXPECT_EQ(parse_spin_count("10 k"), 10000u);
    EXPECT_EQ(parse_spin_count("2T"), 2000000000000u);
    EXPECT_EQ(parse_spin_count("Infinite"), UINT64_MAX);
    for (const char* bad : {"", "k", "1x", "1kk", "99999999999999t"}) {
        EXPECT_FALSE(parse_spin_count(bad).has_value()) << bad;
    }
}

TEST(EnvText, ListsOfCounts)
{
    EXPECT_EQ(parse_counts("4"), (std::vector<unsigned>{4}));
    EXPECT_EQ(parse_counts(" 3 , 2,1 "), (std::vector<unsigned>{3, 2, 1}));
    EXPECT_EQ(parse_counts("5000000000"), (std::vector<unsigned>{0x7fffffff}));
    for (const char* bad : {"", "4,", ",4", "4,0", "4 5", "a"}) {
        EXPECT_FALSE(parse_counts(bad).has_value()) << bad;
    }
}

TEST(EnvText, BindingPolicies)
{
    EXPECT_EQ(parse_proc_bind("true"), (std::vector<int>{1}));
    EXPECT_EQ(parse_proc_bind("False"), (std::vector<int>{0}));
    EXPECT_EQ(parse_proc_bind("spread, close,MASTER,primary"), (std::vector<int>{4, 3, 2, 2}));
    for (const char* bad : {"", "q", "close,", "true,close", "close spread"}) {
        EXPECT_FALSE(parse_proc_bind(bad).has_value()) << bad;
    }
}

TEST(EnvText, AReaderTakesPartsInTurn)
{
    text_reader reader(" Dynamic , -12 rest");
    EXPECT_TRUE(reader.take_word("dynamic"));
    EXPECT_FALSE(reader.take(';'));
    EXPECT_TRUE(reader.take(','));
    std::int64_t number = 0;
    EXPECT_TRUE(reader.take_signed(number));
    EXPECT_EQ(number, -12);
    EXPECT_FALSE(reader.at_end());
    EXPECT_TRUE(reader.take_word("rest"));
    EXPECT_TRUE(reader.at_end());
}

}  // namespace
}  // namespace artel::openmp
