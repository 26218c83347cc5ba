// Messages arrive whole, prefixed, and leave errno alone.
#include "base/log.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace artel::base {
namespace {

TEST(Log, PrefixesOneLine)
{
    testing::internal::CaptureStderr();
    errno = 42;
    warn("{} of {}", 1, "two");
    EXPECT_EQ(errno, 42);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "artel: 1 of two\n");
}

TEST(LogDeathTest, FatalSaysWhyAndAborts)
{
    EXPECT_EXIT(fatal("no {}", "luck"), testing::KilledBySignal(SIGABRT),
                "artel: no luck\nartel: giving up");
    EXPECT_EXIT(die("stop"), testing::KilledBySignal(SIGABRT), "artel: stop");
}

}  // namespace
}  // namespace artel::base
