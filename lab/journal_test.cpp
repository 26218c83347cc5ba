// What an interrupted run leaves, and what a later one takes from it.
#include "lab/journal.hpp"

#include "lab/testing.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

using namespace artel::lab;
using namespace artel::lab::testing;

namespace {

class LabJournal : public ::testing::Test {
protected:
    LabJournal()
        : file_(std::filesystem::temp_directory_path() /
                ("artel-journal-" + std::to_string(::getpid()) + ".jsonl"))
    {
        clean();
    }
    ~LabJournal() override { clean(); }
    void clean()
    {
        std::filesystem::remove(file_);
        std::filesystem::remove(file_.string() + ".old");
    }
    std::filesystem::path file_;
    const json header_{{"version", "1"}, {"machine", "here"}};
    const cell one_ = cell_of("alloc", "T", 1), two_ = cell_of("alloc", "T", 2);
};

}  // namespace

TEST_F(LabJournal, KeepsWhatIsFinished)
{
    {
        journal first(file_, header_);
        EXPECT_EQ(first.kept(), 0u);
        EXPECT_EQ(first.find(one_), nullptr);
        first.add(one_, ok(1.5));
        first.add(two_, not_ok("fail", "no"));
    }
    journal second(file_, header_);
    EXPECT_EQ(second.kept(), 2u);
    EXPECT_FALSE(second.set_aside());
    ASSERT_NE(second.find(one_), nullptr);
    EXPECT_EQ(second.find(one_)->at("seconds"), 1.5);
    EXPECT_EQ(second.find(two_)->at("status"), "fail");
    EXPECT_EQ(second.find(cell_of("alloc", "T", 1, 1)), nullptr);  // another repeat
    second.remove();
    EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(LabJournal, SurvivesALineCutShortAndGarbage)
{
    journal(file_, header_).add(one_, ok(1));
    {
        std::ofstream out(file_, std::ios::app);
        out << "{\"key\": 3}\n[]\nnull\n{\"key\": \"x\", \"result\": 7}\n{\"key\":\"alloc/T/gl";
    }
    {
        journal second(file_, header_);
        EXPECT_EQ(second.kept(), 1u);
        second.add(two_, ok(2));
    }
    // the line cut short did not swallow the next one.
    EXPECT_EQ(journal(file_, header_).kept(), 2u);
}

// A line that is JSON but no result must not reach the tables.
TEST_F(LabJournal, DamagedResultsCountAsNone)
{
    const char* const damaged[]{
        R"({"status":"ok","evidence":{}})",
        R"({"status":"ok","seconds":"1.5","evidence":{}})",
        R"({"status":"ok","seconds":1.5})",
        R"({"status":"ok","seconds":1.5,"evidence":7})",
        R"({"status":"ok","seconds":1.5,"evidence":{"unavailable":{"cycles":5}}})",
        R"({"status":"fail"})",
        R"({"status":"fail","reason":null})",
        R"({"status":"perhaps","reason":"?"})",
        R"({"status":7,"seconds":1.5,"evidence":{}})"};
    for (const char* const result : damaged) {
        clean();
        journal(file_, header_).add(one_, json::parse(result));
        journal second(file_, header_);
        EXPECT_EQ(second.find(one_), nullptr) << result;
    }
}

TEST_F(LabJournal, OnlyWhatStandsIsKept)
{
    {
        journal first(file_, header_);
        first.add(one_, ok(1));
        first.add(two_, not_ok("fail", "no"));
    }
    journal second(file_, header_);
    second.keep_if([](const json& result) { return result["status"] == "ok"; });
    EXPECT_EQ(second.kept(), 1u);
    EXPECT_NE(second.find(one_), nullptr);
    EXPECT_EQ(second.find(two_), nullptr);
}

TEST_F(LabJournal, SkippedCellsAreTriedAgain)
{
    journal(file_, header_).add(one_, not_ok("skip", "not installed"));
    journal second(file_, header_);
    EXPECT_EQ(second.find(one_), nullptr);
    second.add(one_, ok(3));
    EXPECT_EQ(journal(file_, header_).find(one_)->at("seconds"), 3);
}

TEST_F(LabJournal, AnotherMachineStartsAnew)
{
    journal(file_, header_).add(one_, ok(1));
    journal other(file_, {{"version", "2"}});
    EXPECT_TRUE(other.set_aside());
    EXPECT_EQ(other.kept(), 0u);
    EXPECT_TRUE(std::filesystem::exists(file_.string() + ".old"));
}

TEST_F(LabJournal, SaysWhereItCannotWrite)
{
    EXPECT_THROW(journal("/nowhere/at/all/unfinished.jsonl", header_), std::runtime_error);
}
