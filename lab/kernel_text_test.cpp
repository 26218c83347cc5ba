// Files of /proc and /sys from machines of several kinds.
#include "lab/kernel_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

using namespace artel::lab;

TEST(LabKernelText, TlbInterruptsAreSummedOverCpus)
{
    std::istringstream two(
        "            CPU0       CPU1\n"
        "  0:          9          0  IO-APIC\n"
        "TLB:       4546       4136   TLB shootdowns\n");
    EXPECT_EQ(tlb_interrupts(two), 8682);
    std::istringstream one("TLB:  3   TLB shootdowns\n");
    EXPECT_EQ(tlb_interrupts(one), 3);
    std::istringstream none("           CPU0\nLOC:   77   Local timer interrupts\n");
    EXPECT_EQ(tlb_interrupts(none), -1);
    std::istringstream empty("");
    EXPECT_EQ(tlb_interrupts(empty), -1);
}

TEST(LabKernelText, BusyTicksLeaveOutIdleAndWaiting)
{
    std::istringstream stat("cpu  10 20 30 4000 500 6 7 8 9 10\ncpu0 1 2 3 4\n");
    EXPECT_EQ(busy_ticks(stat), 10 + 20 + 30 + 6 + 7 + 8);
    std::istringstream empty("");
    EXPECT_EQ(busy_ticks(empty), 0);
}

TEST(LabKernelText, HugePagesOfAllKinds)
{
    std::istringstream rollup(
        "5555-7777 ---p 00000000 00:00 0  [rollup]\n"
        "Rss:   9000 kB\n"
        "AnonHugePages:   2048 kB\n"
        "ShmemPmdMapped:  4096 kB\n"
        "Shared_Hugetlb:  6144 kB\n"
        "Private_Hugetlb:     0 kB\n"
        "Swap: 77 kB\n");
    EXPECT_EQ(huge_page_kib(rollup), 2048 + 4096 + 6144);
    std::istringstream zero("AnonHugePages:         0 kB\n");
    EXPECT_EQ(huge_page_kib(zero), 0);
    std::istringstream old_kernel("Rss:   9000 kB\n");
    EXPECT_EQ(huge_page_kib(old_kernel), -1);
}

TEST(LabKernelText, ChosenWord)
{
    EXPECT_EQ(chosen_word("always [madvise] never"), "madvise");
    EXPECT_EQ(chosen_word("[always] madvise never"), "always");
    EXPECT_EQ(chosen_word("always within_size advise [never] deny force"), "never");
    for (const char* broken : {"", "always", "]always[", "[never"})
        EXPECT_EQ(chosen_word(broken), "unknown") << broken;
}
