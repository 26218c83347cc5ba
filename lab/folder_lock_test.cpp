// Two labs in one folder would each remove and overwrite what the other has finished.
#include "lab/folder_lock.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <unistd.h>

using artel::lab::folder_lock;

namespace {

class LabFolderLock : public ::testing::Test {
protected:
    LabFolderLock()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "artel-lock-XXXXXX")
                                  .string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~LabFolderLock() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;
};

}  // namespace

TEST_F(LabFolderLock, TheSecondIsToldWhoIsTheFirst)
{
    const folder_lock first(folder_);
    try {
        const folder_lock second(folder_);
        FAIL() << "two at once";
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find(folder_.string()), std::string::npos) << text;
        // Some file systems show the kernel's locks under other numbers than stat; a wrong process
        // must not be named.
        if (text.find("(process ") != std::string::npos) {
            EXPECT_NE(text.find("(process " + std::to_string(::getpid()) + ")"), std::string::npos)
                << text;
        }
    }
    const auto other = folder_ / "other";
    std::filesystem::create_directory(other);
    const folder_lock elsewhere(other);
}

TEST_F(LabFolderLock, EndsWithItsHolderAndLeavesNothing)
{
    {
        const folder_lock first(folder_);
    }
    const folder_lock second(folder_);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(LabFolderLock, SaysWhatItCannotOpen)
{
    EXPECT_THROW(folder_lock(folder_ / "nothing"), std::runtime_error);
}
