// The steps of the paper's protocol: which ones a rank takes, in which order, and that no wait ends
// before its condition holds.
#include "coll/paper.hpp"

#include "coll/ranks_test.hpp"
#include "coll/steps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace {

using namespace artel;

constexpr std::size_t page = 4096;

// Each step's name, and of C, N and W the fragment's number.
std::string words_of(const coll::step_log& log)
{
    std::string words;
    for (const coll::step& s : log.steps()) {
        const bool one_of_many = s.kind == coll::step_kind::C || s.kind == coll::step_kind::N ||
                                 s.kind == coll::step_kind::W;
        words += std::string(words.empty() ? "" : " ") + name_of(s.kind) +
                 (one_of_many ? std::to_string(s.fragment) : "");
    }
    return words;
}

struct recorded {
    std::array<coll::step, 128> room[3];
    std::string words[3];
    std::vector<coll::step> steps[3];
};

// One message of so many pages from rank 0 along a chain of three, after another one.
void record(recorded& all, std::uint32_t length, std::uint32_t sets, std::size_t pages)
{
    coll::settings s;
    s.protocol = coll::protocol_kind::paper;
    s.shape = coll::tree_kind::chain;
    s.fragment = page;
    s.queue_bytes = length * page;
    s.sets = sets;
    coll::with_channels(3, s, [&](coll::channel& c, unsigned rank) {
        std::vector<unsigned char> bytes(pages * page, rank == 0 ? 1 : 0);
        const artel_message m{bytes.data(), bytes.size(), nullptr, nullptr};
        EXPECT_EQ(c.broadcast(m, 0), shm::status::ok);
        coll::step_log log(all.room[rank]);
        c.log_steps(&log);
        EXPECT_EQ(c.broadcast(m, 0), shm::status::ok);
        c.log_steps(nullptr);
        EXPECT_EQ(c.broadcast(m, 0), shm::status::ok);
        EXPECT_EQ(log.left_out(), 0U);
        all.words[rank] = words_of(log);
        all.steps[rank].assign(log.steps().begin(), log.steps().end());
    });
}

// The paper's figure 3, a to c, for a root and a leaf.
TEST(Paper, StepsOfAQueueOfOne)
{
    recorded all;
    record(all, 1, 1, 3);
    EXPECT_EQ(all.words[0], "WS SO C0 N0 WS SO C1 N1 WS SO C2 N2");
    EXPECT_EQ(all.words[2], "WO W0 N0 C0 A WO W1 N1 C1 A WO W2 N2 C2 A");
}

TEST(Paper, StepsOfALongerQueue)
{
    recorded all;
    record(all, 4, 1, 6);
    EXPECT_EQ(all.words[0], "WS SO C0 N0 C1 N1 C2 N2 C3 N3 WS SO C4 N4 C5 N5");
    EXPECT_EQ(all.words[1], "WO W0 N0 C0 W1 N1 C1 W2 N2 C2 W3 N3 C3 A WO W4 N4 C4 W5 N5 C5 A");
}

TEST(Paper, StepsOfAQueueOfTwoSets)
{
    recorded all;
    record(all, 4, 2, 6);
    EXPECT_EQ(all.words[0], "WS SO C0 N0 C1 N1 WS SO C2 N2 C3 N3 WS SO C4 N4 C5 N5");
    EXPECT_EQ(all.words[1], "WO W0 N0 C0 W1 N1 C1 A WO W2 N2 C2 W3 N3 C3 A WO W4 N4 C4 W5 N5 C5 A");
}

// A rank's wait ends only after the other rank has done that for which it waits.
TEST(Paper, NobodyIsAheadOfWhatItWaitsFor)
{
    recorded all;
    record(all, 4, 2, 20);
    const auto end_of = [&](unsigned rank, coll::step_kind kind, std::uint32_t fragment) {
        double last = 0;
        for (const coll::step& s : all.steps[rank]) {
            if (s.kind == kind && s.fragment == fragment) {
                last = s.end;
            }
        }
        return last;
    };
    using enum coll::step_kind;
    for (std::uint32_t f = 0; f < 20; ++f) {
        for (unsigned rank = 1; rank < 3; ++rank) {
            EXPECT_GE(end_of(rank, W, f), end_of(0, C, f)) << rank << ' ' << f;
            EXPECT_LE(end_of(rank, W, f), end_of(rank, C, f)) << rank << ' ' << f;
        }
        // A set holds two fragments, and is reused every fourth.
        if (f % 2 == 0 && f >= 4) {
            EXPECT_GE(end_of(0, WS, f), end_of(2, C, f - 3)) << f;
        }
    }
}

TEST(Paper, ALogThatIsTooShortSaysSo)
{
    std::array<coll::step, 2> room;
    coll::step_log log(room);
    for (std::uint32_t i = 0; i < 5; ++i) {
        const coll::step_log::entry e(&log, coll::step_kind::C, i);
    }
    EXPECT_EQ(log.steps().size(), 2U);
    EXPECT_EQ(log.left_out(), 3U);
    log.clear();
    EXPECT_TRUE(log.steps().empty());
}

}  // namespace
