// A rank dies in the middle of a direct message: no receiver reports bytes from a buffer that its
// owner may have reused, and no rank returns a buffer while another may still write it.
#include "coll/channel.hpp"

#include "coll/layout.hpp"
#include "coll/ranks_test.hpp"
#include "shm/memory.hpp"
#include "shm/os.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace artel;

// A simulated death: from the moment when `dead` is set a rank counts as gone.
struct mourning {
    std::atomic<bool> dead{false};
    std::atomic<int> asked{0};
    static int alive(void* self)
    {
        auto& m = *static_cast<mourning*>(self);
        ++m.asked;
        return m.dead ? 0 : 1;
    }
};

// Three ranks, of which the last never takes part; messages of any size are copied directly.
struct two_and_a_dead_one {
    coll::settings chosen = [] {
        coll::settings s;
        s.direct_from = 1;
        s.inline_limit = 0;
        s.shape = coll::tree_kind::flat;
        return s;
    }();
    coll::layout where = coll::layout::of(chosen);
    shm::memory memory = shm::memory::create(shm::memory::sort::memfd, "", false, where.bytes(3));
    mourning seen[2];
    shm::waiter waiting[2]{{shm::crowded_limits, coll::nothing, mourning::alive, &seen[0]},
                           {shm::crowded_limits, coll::nothing, mourning::alive, &seen[1]}};

    coll::area_view area(unsigned rank) { return where.view(memory.data(), rank); }
    std::unique_ptr<coll::channel> channel(unsigned rank)
    {
        coll::party p;
        p.rank = rank;
        p.chosen = chosen;
        p.crowded = true;
        p.direct = true;
        p.segment = memory.data();
        for (unsigned i = 0; i < 3; ++i) {
            p.members.push_back({::getpid(), shm::process_start(::getpid()), {0, 0}});
        }
        auto made = make_lines_channel(p, waiting[rank]);
        made->use_direct_from(1);
        return made;
    }
};

// The root gives up, and its caller reuses the buffer: a receiver that copies from the buffer later
// must not report success.
TEST(ChannelDeath, WhatTheRootHasTakenBackIsNotTaken)
{
    two_and_a_dead_one all;
    const auto root = all.channel(0), late = all.channel(1);
    std::vector<unsigned char> bytes(100000, 'x'), got(100000, 0);
    const artel_message m{bytes.data(), bytes.size(), nullptr, nullptr};
    all.seen[0].dead = true;
    EXPECT_EQ(root->broadcast(m, 0), shm::status::peer_died);
    std::fill(bytes.begin(), bytes.end(), 'y');
    const int asked = all.seen[0].asked;
    EXPECT_EQ(root->broadcast(m, 0), shm::status::peer_died);
    EXPECT_EQ(all.seen[0].asked, asked) << "the channel was used once more";
    const artel_message into{got.data(), got.size(), nullptr, nullptr};
    EXPECT_EQ(late->broadcast(into, 0), shm::status::peer_died);
    EXPECT_EQ(late->broadcast(into, 0), shm::status::peer_died);
}

// The test acts as the root: it has claimed a part of the message and is slow to write it. Another
// rank dies: the receiver must not return its buffer before the root has finished.
TEST(ChannelDeath, TheBufferStaysUntilTheRootHasWritten)
{
    constexpr std::size_t chunk = std::size_t{1} << 20, chunks = 32;
    std::vector<unsigned char> bytes(chunks * chunk, 'x'), got(bytes.size(), 0);
    for (unsigned attempt = 0; attempt < 100; ++attempt) {
        two_and_a_dead_one all;
        const auto receiver = all.channel(1);
        std::atomic<bool> back{false};
        shm::status result = shm::status::failed;
        std::thread receiving([&] {
            const artel_message m{got.data(), got.size(), nullptr, nullptr};
            result = receiver->broadcast(m, 0);
            back = true;
        });
        coll::direct_line& line = *all.area(1).direct;
        shm::control_line& item = all.area(1).ring[0];
        item.length = static_cast<std::uint32_t>(bytes.size());
        item.kind = shm::item_kind::direct;
        item.payload.place.where = reinterpret_cast<std::uintptr_t>(bytes.data());
        item.payload.place.length = bytes.size();
        item.number.publish(1);
        // Claims a chunk as help_once() does.
        std::uint64_t cursor = 0;
        bool claimed = false;
        while (!claimed && !back) {
            cursor = line.cursor.load();
            claimed = cursor >> 32 == 1 && static_cast<std::uint32_t>(cursor) < chunks &&
                      line.cursor.compare_exchange_strong(cursor, cursor + 1);
        }
        if (claimed) {
            all.seen[1].dead = true;
            while (all.seen[1].asked < 3 && !back) {
                std::this_thread::yield();
            }
            EXPECT_FALSE(back) << "the buffer was given back";
            const std::size_t at = static_cast<std::uint32_t>(cursor) * chunk;
            std::copy_n(bytes.data() + at, chunk, got.data() + at);
            line.finished.add();
        }
        receiving.join();
        EXPECT_EQ(result, shm::status::ok);
        EXPECT_EQ(got, bytes);
        if (claimed) {
            return;
        }
    }
    FAIL() << "the receiver was always faster";
}

}  // namespace
