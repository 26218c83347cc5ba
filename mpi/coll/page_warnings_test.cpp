// The texts of the warnings, in the singular and the plural; and none where nothing is wrong.
#include "coll/page_warnings.hpp"

#include <gtest/gtest.h>

namespace {

using namespace artel::coll;

TEST(PageWarnings, NothingToTell)
{
    EXPECT_EQ(words_of_strays({4, 0, 0, 0, 0}), "");
    EXPECT_EQ(words_of_unbound({4, 0, 0, 0, 0}), "");
}

TEST(PageWarnings, SayHowManyAndWhatToDo)
{
    EXPECT_EQ(words_of_strays({4, 259, 1, 0, 0}).rfind("259 pages of 1 rank lie on other", 0), 0U);
    EXPECT_EQ(words_of_strays({4, 300, 2, 0, 0}).rfind("300 pages of 2 ranks lie on other", 0), 0U);
    const std::string unbound = words_of_unbound({4, 0, 0, 3, 1});
    EXPECT_EQ(unbound.rfind("3 of 4 ranks (rank 1 is the first) may run on several", 0), 0U);
    EXPECT_NE(unbound.find("--bind-to numa"), std::string::npos);
}

}  // namespace
