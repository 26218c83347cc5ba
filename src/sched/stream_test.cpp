// Streams: units run one at a time, wait without holding their stream, and are found by idle ones.
#include "sched/stream.hpp"
#include "sched/push.hpp"

#include "sched/guest_scope.hpp"

#include <artel/artel.hpp>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace {

using namespace artel;

// A unit that frees itself and counts down.
struct job : sched::unit {
    explicit job(std::function<void()> f, artel::latch& l) : body(std::move(f)), done(l)
    {
        run = [](void*, base::work& self) {
            const std::unique_ptr<job> me(&static_cast<job&>(static_cast<sched::unit&>(self)));
            me->body();
            me->done.count_down();
        };
    }
    std::function<void()> body;
    artel::latch& done;
};

void push(sched::pool& to, artel::latch& done, std::function<void()> f, bool stays = true)
{
    job* const j = new job(std::move(f), done);
    j->stays = stays;
    to.push(*j);
}

// Workers may access a stream when it has no work left: groups last as long as the process, and are
// reachable, or LeakSanitizer would report some of them.
sched::stream_group* group_of(unsigned pools)
{
    static auto& all = *new std::vector<std::unique_ptr<sched::stream_group>>;
    return all.emplace_back(std::make_unique<sched::stream_group>(pools, 1)).get();
}

TEST(stream, runs_one_unit_at_a_time)
{
    for (const unsigned streams : {1u, 2u, 7u}) {
        auto* const group = group_of(streams);
        constexpr int each = 500;
        std::vector<int> inside(streams, 0);
        artel::latch done(static_cast<std::ptrdiff_t>(streams) * each);
        for (unsigned i = 0; i < streams; ++i) {
            for (int k = 0; k < each; ++k) {
                push(group->pool_at(i), done, [&, i] {
                    EXPECT_EQ(sched::this_stream()->number, i);
                    for (int n = 0; n < 3; ++n) {
                        EXPECT_EQ(inside[i]++, 0);  // no atomics: the stream is the caller's alone
                        inside[i]--;
                        sched::yield_unit();
                    }
                });
            }
        }
        done.wait();
    }
}

TEST(stream, is_free_for_others_while_a_unit_waits)
{
    auto* const group = group_of(1);
    artel::latch done(2);
    artel::feb<int> word;
    artel::mutex lock;
    lock.lock();
    push(group->pool_at(0), done, [&] {
        lock.lock();  // any wait of the library, not only those of units
        EXPECT_EQ(word.read_fe(), 5);
        lock.unlock();
    });
    push(group->pool_at(0), done, [&] {
        lock.unlock();
        word.write_ef(5);
    });
    done.wait();
}

TEST(stream, takes_from_other_pools_when_its_own_is_empty)
{
    auto* const group = group_of(2);
    artel::latch done(101);
    std::atomic<bool> over{false};
    std::atomic<int> elsewhere{0};
    push(group->pool_at(0), done, [&] {
        // Stream 0 is occupied: only stream 1 can run the others.
        for (int i = 0; i < 100; ++i) {
            push(
                group->pool_at(0), done,
                [&] {
                    elsewhere += sched::this_stream()->number == 1;
                    over = elsewhere == 100;
                },
                false);
        }
        while (!over) {
        }
    });
    done.wait();
    EXPECT_EQ(elsewhere, 100);
    EXPECT_GE(group->steals(), 1u);
}

TEST(stream, leaves_alone_what_stays)
{
    auto* const group = group_of(4);
    artel::latch done(400);
    for (unsigned i = 0; i < 400; ++i) {
        push(group->pool_at(i % 4), done, [i] {
            EXPECT_EQ(sched::this_stream()->number, i % 4);
            sched::yield_unit();
            EXPECT_EQ(sched::this_stream()->number, i % 4);
        });
    }
    done.wait();
    EXPECT_EQ(group->steals(), 0u);
}

TEST(stream, the_calling_thread_may_hold_the_first_one)
{
    auto* const group = group_of(2);
    sched::unit me;
    group->join(me);
    EXPECT_EQ(sched::this_stream(), &group->stream_at(0));
    artel::latch done(50);
    for (int i = 0; i < 50; ++i) {
        push(group->pool_at(i % 2), done, [] { sched::yield_unit(); });
    }
    {
        const sched::guest_scope scope;
        sched::yield_unit();
    }
    done.wait();
    EXPECT_EQ(sched::this_stream()->source, &group->pool_at(0));
    group->leave();
    EXPECT_EQ(sched::this_unit(), nullptr);
}

// The calling thread is always ready, and waits for units of streams at its worker.
TEST(stream, goes_on_beside_a_thread_that_only_yields)
{
    for (int round = 0; round < 50; ++round) {
        auto* const group = group_of(8);
        sched::unit me;
        group->join(me);
        std::atomic<int> left{800};
        artel::latch done(800);
        for (unsigned i = 0; i < 800; ++i) {
            push(group->pool_at(i % 8), done, [&] {
                sched::yield_unit();
                --left;
            });
        }
        while (left != 0) {
            const sched::guest_scope scope;
            sched::yield_unit();
        }
        done.wait();
        group->leave();
    }
}

TEST(stream, units_move_to_other_pools)
{
    auto* const group = group_of(3);
    artel::latch done(1);
    push(group->pool_at(0), done, [&] {
        for (unsigned i = 0; i < 30; ++i) {
            sched::move_to(group->pool_at(i % 3));
            EXPECT_EQ(sched::this_stream()->number, i % 3);
        }
    });
    done.wait();
}

TEST(stream, rests_while_disabled)
{
    auto* const group = group_of(2);
    group->enable(group->stream_at(1), false);
    group->pool_at(1).redirect(&group->pool_at(0));
    artel::latch done(20);
    for (int i = 0; i < 20; ++i) {
        push(group->pool_at(1), done, [] { EXPECT_EQ(sched::this_stream()->number, 0u); });
    }
    done.wait();
    group->pool_at(1).redirect(nullptr);
    group->enable(group->stream_at(1), true);
    artel::latch again(20);
    for (int i = 0; i < 20; ++i) {
        push(group->pool_at(1), again, [] { EXPECT_EQ(sched::this_stream()->number, 1u); });
    }
    again.wait();
}

TEST(stream, what_is_pushed_to_closed_pools_runs_elsewhere)
{
    auto* const group = group_of(3);
    artel::latch begun(1);
    artel::latch waiting(1);
    artel::latch done(2);
    // A unit that waits while the pools are closed one after the other, and is then ready.
    push(group->pool_at(2), done, [&] {
        begun.count_down();
        waiting.wait();
    });
    begun.wait();
    for (const unsigned i : {2u, 1u}) {
        group->enable(group->stream_at(i), false);
        group->pool_at(i).redirect(&group->pool_at(i - 1));
    }
    push(group->pool_at(2), done, [] { EXPECT_EQ(sched::this_stream()->number, 0u); });
    waiting.count_down();
    done.wait();
}

}  // namespace
