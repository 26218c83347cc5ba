// The version is three numbers with dots between them, so that programs can parse and compare it.
#include <artel.h>
#include <gtest/gtest.h>
#include <regex>
#include <string>

TEST(version, is_three_numbers)
{
    EXPECT_TRUE(
        std::regex_match(std::string(artel_version()), std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")));
}
