// The paper's numbers in our tables, compared with sums and statements in the paper.
#include "lab/paper.hpp"
#include "lab/summary.hpp"

#include <gtest/gtest.h>

using namespace artel::lab;

TEST(LabPaper, ProcessesWinTheShareThatThePaperStates)
{
    unsigned all = 0, processes = 0;
    for (const char* workload : {"rows", "tiles"})
        for (const char* system : {"A640", "X5675", "I7"})
            for (const auto& pair : fair_pairs())
                for (unsigned n = 1; n <= 512; n *= 2)
                    if (const auto ratio = paper_ratio(workload, system, pair.threads,
                                                       pair.processes, n)) {
                        ++all;
                        processes += *ratio > 1 ? 1 : 0;
                    }
    EXPECT_EQ(all, 140u);
    EXPECT_EQ(processes, 82u);
    EXPECT_NEAR(static_cast<double>(processes) / all, paper_process_share, 0.0002);
}

TEST(LabPaper, StatementsOfTheText)
{
    // 512 processes are more than 5 times as fast as 8 threads.
    EXPECT_GT(*paper_seconds("alloc", "X5675", "T", 8) / *paper_seconds("alloc", "X5675", "P", 512),
              5);
    // Exchanges: threads win up to 64 tasks, processes from 128; 512 threads failed.
    EXPECT_LT(*paper_ratio("exchanges", "X5675", "T", "P", 64), 1);
    EXPECT_GT(*paper_ratio("exchanges", "X5675", "T", "P", 128), 1);
    EXPECT_FALSE(paper_seconds("exchanges", "X5675", "T", 512));
    EXPECT_FALSE(paper_seconds("exchanges", "X5675", "T", 3));
    EXPECT_FALSE(paper_seconds("exchanges", "PDP-11", "T", 1));
}
