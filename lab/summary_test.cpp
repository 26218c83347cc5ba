// The sentences: which variant was faster, by how much, and no claim that the numbers do not
// support.
#include "lab/summary.hpp"

#include "lab/explanation.hpp"
#include "lab/testing.hpp"

#include <gtest/gtest.h>

using namespace artel::lab;
using namespace artel::lab::testing;

TEST(LabSummary, SaysWhoWonAndByHowMuch)
{
    const auto r = entries()
                       .times("exchanges", "T", 4, {1.0, 1.01, 1.02}, {{"futex_waits", 9000}})
                       .times("exchanges", "P", 4, {3.0, 3.03, 3.1}, {{"futex_waits", 10}})
                       .made();
    const auto sentences = summary_sentences(r);
    EXPECT_TRUE(
        contains(sentences, "threads are 3.00 times as fast as processes (1.01 s and 3.03 s)"));
    // The paper measured 4 tasks, too, so its ratio is given.
    EXPECT_TRUE(
        contains(sentences, "the paper's X5675: threads are 1.04 times as fast as processes"));
    // the winner had more waits: that explains nothing.
    EXPECT_TRUE(contains(sentences, "None of the counters"));
    EXPECT_TRUE(contains(sentences, "threads win up to the largest number of tasks"));
}

TEST(LabSummary, NamesTheCountsThatGoWithTheSlowerOne)
{
    const auto r = entries()
                       .times("exchanges", "T", 4, {3.0, 3.03},
                              {{"futex_waits", 9000}, {"minor_faults", 1000}})
                       .times("exchanges", "P", 4, {1.0, 1.01},
                              {{"futex_waits", 10}, {"minor_faults", 990}})
                       .made();
    const auto sentences = summary_sentences(r);
    EXPECT_TRUE(contains(sentences, "processes are 3.00 times as fast as threads"));
    EXPECT_TRUE(contains(sentences, "With threads there were 9000 waits in a futex against 10."));
    EXPECT_TRUE(contains(sentences, "processes win from 4 tasks on"));
}

TEST(LabSummary, OverlappingRepeatsDecideNothing)
{
    const auto r = entries()
                       .times("exchanges", "T", 2, {1, 2, 3})
                       .times("exchanges", "P", 2, {2.5, 4, 5})
                       .made();
    EXPECT_TRUE(contains(summary_sentences(r),
                         "The repeats overlap (1.00 to 3.00 s, 2.50 to 5.00 s): no clear winner."));
}

TEST(LabSummary, CautionsWhereTheyApply)
{
    const auto r = entries()
                       .times("exchanges", "T", 1, {1},
                              {{"other_programs_share", 0.5},
                               {"unavailable", {{"cycles", "no such counter"}}}})
                       .times("exchanges", "P", 1, {1, 1})
                       .add(cell_of("exchanges", "T-N", 1), not_ok("missing", "not measured yet"))
                       .add(cell_of("exchanges", "P-N", 1), not_ok("fail", "ulimit -u"))
                       .made();
    const auto sentences = summary_sentences(r);
    EXPECT_TRUE(contains(sentences, "1 of 2 measurements other programs"));
    EXPECT_TRUE(contains(sentences, "1 of 2 cells were measured only once"));
    EXPECT_TRUE(contains(sentences, "1 cells are not measured yet"));
    EXPECT_TRUE(contains(sentences, "1 cell FAIL: ulimit -u."));
    EXPECT_TRUE(contains(sentences, "Not counted: cycles (no such counter)"));
    const auto quiet = entries().times("exchanges", "T", 1, {1, 1}).made();
    EXPECT_FALSE(contains(summary_sentences(quiet), "Caution"));
    EXPECT_FALSE(contains(summary_sentences(quiet), "Not counted"));
}

TEST(LabSummary, CountsMatrixComparisonsOfEqualPolicyOnly)
{
    const auto r = entries()
                       .times("rows", "T", 1, {9})  // no partner of the same policy
                       .times("rows", "T-M", 1, {2})
                       .times("rows", "P", 1, {1})
                       .times("rows", "HP.T-M", 1, {1})
                       .times("rows", "HP.P", 1, {2})
                       .times("tiles", "T-N", 1, {2})
                       .times("tiles", "P-N", 1, {1})
                       .times("tiles", "T-M", 2, {2})
                       .made();
    const auto wins = matrix_wins(r);
    EXPECT_EQ(wins.all, 3u);
    EXPECT_EQ(wins.processes, 2u);
    EXPECT_TRUE(contains(summary_sentences(r), "Processes win 2 of 3"));
    EXPECT_TRUE(contains(summary_sentences(r), "66.67 %"));
    EXPECT_EQ(summary_as_json(r)["matrix_comparisons"]["all"], 3);
    EXPECT_TRUE(summary_as_json(entries().made())["matrix_comparisons"]["share"].is_null());
}

TEST(LabSummary, HowMuchOfAllocIsTheAllocator)
{
    const auto r = entries()
                       .times("alloc", "T", 8, {4})
                       .times("alloc", "P", 8, {1})
                       .times("alloc", "T", 8, {6}, json::object(), "glibc-1-arena")
                       .times("alloc", "T", 8, {3}, json::object(), "glibc-arena-per-task")
                       .times("alloc", "T", 8, {2}, json::object(), "jemalloc")
                       .times("alloc", "P", 8, {1.5}, json::object(), "jemalloc")
                       .made();
    const auto sentences = summary_sentences(r);
    EXPECT_TRUE(contains(
        sentences,
        "Contention for arenas costs threads 1.00 s by default. The shared address space costs "
        "2.00 s."));
    EXPECT_TRUE(contains(sentences, "jemalloc 2.00 s / 1.50 s = 1.33"));
}

TEST(LabExplanation, PagesThatWereNotThereExplainNothing)
{
    const auto r = entries()
                       .times("rows", "T", 1, {1, 1}, {{"huge_page_kib", 0}})
                       .times("rows", "T-N", 1, {2, 2}, {{"huge_page_kib", 0}})
                       .made();
    EXPECT_NE(page_effect(r, "rows", "T", "T-N", "huge pages").find("got no such pages"),
              std::string::npos);
    EXPECT_EQ(page_effect(r, "tiles", "T", "T-N", "huge pages"), "");
}

TEST(LabExplanation, SharesOfThePageEffect)
{
    const json with{{"huge_page_kib", 6144},
                    {"user_seconds", 0.5},
                    {"system_seconds", 0.0},
                    {"minor_faults", 3}};
    const json faults{{"huge_page_kib", 0},
                      {"user_seconds", 0.5},
                      {"system_seconds", 0.5},
                      {"minor_faults", 1536}};
    const json misses{
        {"huge_page_kib", 0}, {"user_seconds", 1.0}, {"system_seconds", 0.0}, {"minor_faults", 3}};
    const auto effect = [&](const json& without) {
        return page_effect(entries()
                               .times("rows", "HP.P", 2, {0.5, 0.5}, with)
                               .times("rows", "P", 2, {1, 1}, without)
                               .made(),
                           "rows", "HP.P", "P", "explicit 2 MiB pages");
    };
    EXPECT_NE(effect(faults).find("-50 % on average"), std::string::npos);
    EXPECT_NE(effect(faults).find("most of it is the cost of the faults"), std::string::npos);
    EXPECT_NE(effect(faults).find("from 1536 to 3"), std::string::npos);
    EXPECT_NE(effect(misses).find("how memory is reached"), std::string::npos);
    auto counted = misses, counted_with = with;
    counted["dtlb_load_misses"] = 1e6;
    counted_with["dtlb_load_misses"] = 10;
    const auto text = page_effect(entries()
                                      .times("rows", "HP.P", 2, {0.5, 0.5}, counted_with)
                                      .times("rows", "P", 2, {1, 1}, counted)
                                      .made(),
                                  "rows", "HP.P", "P", "explicit 2 MiB pages");
    EXPECT_NE(text.find("data TLB misses from 1e+06 to 10"), std::string::npos) << text;
}

TEST(LabExplanation, NothingIsConcludedFromOneMeasurementNorFromTimeThatNobodyUsed)
{
    const json pages{{"huge_page_kib", 6144}, {"user_seconds", 2.0}},
        small{{"huge_page_kib", 0}, {"user_seconds", 1.0}};
    const auto once = entries()
                          .times("rows", "HP.P", 1, {1}, pages)
                          .times("rows", "P", 1, {2}, small)
                          .made();
    EXPECT_NE(page_effect(once, "rows", "HP.P", "P", "pages").find("Measured once"),
              std::string::npos);
    // Faster, with more CPU time: the pages cannot be the reason.
    const auto twice = entries()
                           .times("rows", "HP.P", 1, {1, 1}, pages)
                           .times("rows", "P", 1, {2, 2}, small)
                           .made();
    EXPECT_NE(page_effect(twice, "rows", "HP.P", "P", "pages").find("not CPU time that explains"),
              std::string::npos);
}

TEST(LabExplanation, WhatRepeatsDifferByIsNoEffect)
{
    const json pages{{"huge_page_kib", 6144}};
    const auto r = entries()
                       .times("rows", "HP.P", 1, {0.8, 1, 1.3}, pages)
                       .times("rows", "P", 1, {0.9, 1.05, 1.2}, pages)
                       .made();
    EXPECT_NE(page_effect(r, "rows", "HP.P", "P", "pages").find("no effect to explain"),
              std::string::npos);
}
