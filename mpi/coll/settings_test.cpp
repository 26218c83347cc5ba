// Texts and units that are accepted or refused, and the report of unknown variables. Every setting
// must be read as it is printed: ranks compare the printed texts.
#include "coll/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace artel::coll;

TEST(Settings, WordsAndUnits)
{
    settings s;
    EXPECT_TRUE(set_by_name(s, "queue", "4M"));
    EXPECT_EQ(s.queue_bytes, 4U << 20);
    EXPECT_TRUE(set_by_name(s, "tree", "knomial"));
    EXPECT_EQ(s.shape, tree_kind::knomial);
    EXPECT_TRUE(set_by_name(s, "memory", "/tmp"));
    EXPECT_EQ(s.sort, memory_sort::directory);
    EXPECT_FALSE(set_by_name(s, "queue", "-1"));
    EXPECT_FALSE(set_by_name(s, "queue", "4X"));
    EXPECT_FALSE(set_by_name(s, "slots", "100"));
    EXPECT_FALSE(set_by_name(s, "tree", "oak"));
    EXPECT_FALSE(set_by_name(s, "nonsense", "1"));
}

TEST(Settings, EveryRowPrintsWhatItReads)
{
    const settings defaults;
    for (const setting_row& row : setting_table()) {
        settings s;
        const std::string text = row.print(defaults);
        EXPECT_TRUE(row.set(s, text.c_str())) << row.variable << '=' << text;
        EXPECT_EQ(row.print(s), text) << row.variable;
    }
}

TEST(Settings, BadWordsOfTheEnvironmentAreIgnored)
{
    ::setenv("ARTEL_MPI_SETS", "zero", 1);
    EXPECT_EQ(settings_of_environment().sets, settings{}.sets);
    ::unsetenv("ARTEL_MPI_SETS");
}

TEST(Settings, UnknownVariablesAreTold)
{
    ::setenv("ARTEL_MPI_SETZ", "2", 1);
    testing::internal::CaptureStderr();
    (void)settings_of_environment();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "artel: ARTEL_MPI_SETZ is not an option and has no effect; did you mean "
              "ARTEL_MPI_SETS? `artel mpi info` shows all that there are\n");
    ::unsetenv("ARTEL_MPI_SETZ");
}

}  // namespace
