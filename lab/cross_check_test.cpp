// One cell of a kind is checked in full, and the others are compared with it.
#include "lab/cross_check.hpp"

#include "lab/testing.hpp"

#include <gtest/gtest.h>

using namespace artel::lab;
using namespace artel::lab::testing;

namespace {

json summed(const char* sum, bool full = false)
{
    auto result = ok(1);
    result["checksum"] = sum;
    if (full)
        result["check"] = "full";
    return result;
}

}  // namespace

TEST(LabCrossCheck, OneCellOfEachWorkIsCheckedInFull)
{
    cross_check it;
    const auto threads = cell_of("alloc", "T", 4), processes = cell_of("alloc", "P", 4),
               more = cell_of("alloc", "T", 8);
    // how many steps its tasks execute varies.
    EXPECT_FALSE(it.needs_full_check(cell_of("exchanges", "T", 4)));
    EXPECT_TRUE(it.needs_full_check(threads));
    it.add(threads, not_ok("fail", "ulimit -u"));
    EXPECT_TRUE(it.needs_full_check(processes));
    it.add(processes, summed("a"));  // of an interrupted run, in which another one was checked
    EXPECT_TRUE(it.needs_full_check(processes));
    it.add(processes, summed("a", true));
    EXPECT_FALSE(it.needs_full_check(threads));
    EXPECT_TRUE(it.needs_full_check(more));
    auto larger = threads;
    larger.size *= 2;
    EXPECT_TRUE(it.needs_full_check(larger));
}

TEST(LabCrossCheck, ADifferentChecksumIsAWrongResult)
{
    cross_check it;
    entries all;
    for (unsigned repeat = 0; repeat < 2; ++repeat) {
        all.add(cell_of("alloc", "T", 4, repeat), summed("a", repeat == 0));
        all.add(cell_of("alloc", "P", 4, repeat), summed(repeat == 0 ? "a" : "b"));
        all.add(cell_of("alloc", "P", 8, repeat), summed("c"));  // no other was checked
        all.add(cell_of("rows", "P", 4, repeat), summed("d"));
        all.add(cell_of("alloc", "T-N", 4, repeat), not_ok("skip", "not installed"));
    }
    auto list = all.as_json();
    for (const auto& entry : list)
        it.add(entry["cell"].get<cell>(), entry["result"]);
    it.apply(list);
    unsigned wrong = 0;
    for (const auto& entry : list)
        if (entry["result"]["status"] == "fail") {
            ++wrong;
            EXPECT_EQ(entry["cell"]["variant"], "P");
            EXPECT_EQ(entry["cell"]["repeat"], 1u);
            EXPECT_EQ(entry["result"]["reason"],
                      "wrong result: the checksum over all tasks is b instead of a");
        }
    EXPECT_EQ(wrong, 1u);
}
