// Both protocols with threads as ranks: with any sizes, roots, trees and settings, every rank gets
// the root's bytes.
#include "coll/channel.hpp"

#include "coll/layout.hpp"
#include "coll/ranks_test.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace artel;

unsigned char byte_at(std::size_t i, unsigned round)
{
    return static_cast<unsigned char>(i * 7 + (i >> 8) + round * 13);
}

void expect_all_get_everything(unsigned ranks, const coll::settings& s,
                               const std::vector<std::size_t>& sizes, bool crowded = true)
{
    std::atomic<int> wrong{0};
    coll::with_channels(
        ranks, s,
        [&](coll::channel& c, unsigned rank) {
            unsigned round = 0;
            for (const std::size_t size : sizes) {
                for (unsigned root = 0; root < ranks; ++root, ++round) {
                    std::vector<unsigned char> bytes(size + 8, 0xEE);
                    for (std::size_t i = 0; rank == root && i < size; ++i) {
                        bytes[i] = byte_at(i, round);
                    }
                    const artel_message m{bytes.data(), size, nullptr, nullptr};
                    wrong += c.broadcast(m, root) != shm::status::ok;
                    for (std::size_t i = 0; i < size; ++i) {
                        wrong += bytes[i] != byte_at(i, round);
                    }
                    wrong += bytes[size] != 0xEE;
                }
            }
        },
        crowded);
    EXPECT_EQ(wrong.load(), 0);
}

const std::vector<std::size_t> some_sizes{1,    8,    48,   49,    96,    97,
                                          1000, 4096, 5000, 40000, 70000, 200001};

TEST(Channel, AllTreesAndSizes)
{
    for (const auto kind :
         {coll::tree_kind::flat, coll::tree_kind::chain, coll::tree_kind::kary,
          coll::tree_kind::knomial, coll::tree_kind::hierarchical, coll::tree_kind::automatic}) {
        coll::settings s;
        s.shape = kind;
        expect_all_get_everything(3, s, some_sizes);
        s.direct_from = 0;
        s.queue_bytes = 32768;
        expect_all_get_everything(5, s, some_sizes);
    }
}

// The root chooses the tree, the others follow: every rank has another table, and the tables change
// between messages.
TEST(Channel, EveryRootHasTreesOfItsOwn)
{
    constexpr unsigned ranks = 7;
    coll::settings s;
    s.slots = 8;
    s.queue_bytes = 16384;
    s.sets = 2;
    std::atomic<int> wrong{0};
    coll::with_channels(ranks, s, [&](coll::channel& c, unsigned rank) {
        for (unsigned round = 0; round < 120; ++round) {
            coll::tree_table table;
            for (std::size_t i = 0; i < table.of.size(); ++i) {
                table.of[i] = static_cast<std::uint8_t>((i + rank + round) %
                                                        coll::tree_forms.size());
            }
            c.use_trees(table);
            const std::size_t size = round % 5 == 4 ? 50000 : round % 5 == 3 ? 300 : 8 << round % 3;
            std::vector<unsigned char> bytes(size);
            const unsigned root = round / 3 % ranks;
            for (std::size_t i = 0; rank == root && i < size; ++i) {
                bytes[i] = byte_at(i, round);
            }
            const artel_message m{bytes.data(), size, nullptr, nullptr};
            wrong += c.broadcast(m, root) != shm::status::ok;
            for (std::size_t i = 0; i < size; ++i) {
                wrong += bytes[i] != byte_at(i, round);
            }
        }
    });
    EXPECT_EQ(wrong.load(), 0);
}

TEST(Channel, DirectWithHelp)
{
    coll::settings s;
    s.direct_from = 1;
    s.inline_limit = 0;
    expect_all_get_everything(2, s, {1, 100000, 3000000}, false);
}

TEST(Channel, SmallRingsAndQueuesWrapAround)
{
    coll::settings s;
    s.slots = 8;
    s.queue_bytes = 8192;
    s.sets = 2;
    s.direct_from = 0;
    std::vector<std::size_t> many(200, 30);
    many.insert(many.end(), 20, 20000);
    expect_all_get_everything(3, s, many);
}

// Receivers do not report messages inside the lines at once. No rank waits for such a report, even
// with a queue of one set, or when a rank unpacks through its own queue.
TEST(Channel, NothingInlinedIsWaitedFor)
{
    coll::settings s;
    s.sets = 1;
    s.queue_bytes = 8192;
    s.direct_from = 0;
    expect_all_get_everything(2, s, {8, 5000, 8, 8, 5000, 8, 9000, 8, 8, 8, 5000});
    s.direct_from = 1000;
    std::atomic<int> wrong{0};
    coll::with_channels(3, s, [&](coll::channel& c, unsigned rank) {
        // Rank 0 sends bytes in a row, the others unpack them.
        struct unpacking {
            std::vector<unsigned char> bytes;
            static int move(void* self, void* packed, std::size_t length)
            {
                const auto* const from = static_cast<const unsigned char*>(packed);
                auto& into = static_cast<unpacking*>(self)->bytes;
                into.insert(into.end(), from, from + length);
                return 0;
            }
        };
        for (unsigned round = 0; round < 20; ++round) {
            const std::size_t size = round % 3 == 2 ? 30000 : 8;
            std::vector<unsigned char> given(size);
            for (std::size_t i = 0; i < size; ++i) {
                given[i] = byte_at(i, round);
            }
            unpacking got;
            const artel_message in_a_row{given.data(), size, nullptr, nullptr},
                unpacked{nullptr, size, unpacking::move, &got};
            wrong += c.broadcast(rank == 0 ? in_a_row : unpacked, 0) != shm::status::ok;
            wrong += rank != 0 && got.bytes != given;
        }
    });
    EXPECT_EQ(wrong.load(), 0);
}

// Sizes that do not fill their last cache line; with three readers no lines are handed back, and
// the bytes arrive all the same.
TEST(Channel, ReaderHandsBack)
{
    coll::settings s;
    s.hand_back = coll::choice::on;
    s.queue_bytes = 16384;
    s.sets = 2;
    expect_all_get_everything(2, s, some_sizes);
    expect_all_get_everything(3, s, some_sizes);
}

TEST(Channel, PaperProtocol)
{
    for (const unsigned sets : {1U, 2U, 4U}) {
        coll::settings s;
        s.protocol = coll::protocol_kind::paper;
        s.queue_bytes = 65536;
        s.fragment = 8192;
        s.sets = sets;
        s.shape = coll::tree_kind::kary;
        expect_all_get_everything(3, s, some_sizes);
    }
}

TEST(Channel, DifferentSizesAreNoticed)
{
    coll::settings s;
    s.direct_from = 0;
    std::atomic<int> truncated{0}, good{0};
    coll::with_channels(2, s, [&](coll::channel& c, unsigned rank) {
        std::vector<char> bytes(50000, 'x');
        const artel_message m{bytes.data(), rank == 0 ? 50000U : 20000U, nullptr, nullptr};
        truncated += c.broadcast(m, 0) == shm::status::truncated;
        const artel_message after{bytes.data(), 100, nullptr, nullptr};
        good += c.broadcast(after, 1) == shm::status::ok;
    });
    EXPECT_EQ(truncated.load(), 1);
    EXPECT_EQ(good.load(), 2);
}

}  // namespace
