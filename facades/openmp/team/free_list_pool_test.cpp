// Chains come back whole, up to the limit, and each to one thread only. Otherwise blocks would
// leak, or two threads would use the same one.
#include "free_list_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

namespace artel::openmp {
namespace {

struct block {
    block* next = nullptr;
    block* next_chain = nullptr;
    int users = 0;  // plain: two users at once are a race
};

block* make_chain(int length)
{
    block* chain = nullptr;
    for (int i = 0; i < length; ++i) {
        auto* const b = new (std::malloc(sizeof(block))) block;
        b->next = chain;
        chain = b;
    }
    return chain;
}

int length(const block* chain)
{
    int n = 0;
    for (; chain != nullptr; chain = chain->next) {
        ++n;
    }
    return n;
}

TEST(FreeListPool, GivesBackWholeChains)
{
    free_list_pool<block> d;
    EXPECT_EQ(d.take(), nullptr);
    block* const one = make_chain(3);
    block* const two = make_chain(5);
    ASSERT_TRUE(d.put(one));
    ASSERT_TRUE(d.put(two));
    block* const first = d.take();
    block* const second = d.take();
    EXPECT_EQ(length(first) + length(second), 8);
    EXPECT_NE(first, second);
    EXPECT_EQ(d.take(), nullptr);
    free_list_pool<block>::free_chain(first);
    free_list_pool<block>::free_chain(second);
}

TEST(FreeListPool, TakesNoMoreThanItsMost)
{
    free_list_pool<block> d;  // frees what it has; a leak is seen under AddressSanitizer
    for (unsigned i = 0; i < free_list_pool<block>::most_chains; ++i) {
        ASSERT_TRUE(d.put(make_chain(1)));
    }
    block* const more = make_chain(1);
    EXPECT_FALSE(d.put(more));
    free_list_pool<block>::free_chain(d.take());
    EXPECT_TRUE(d.put(more));
}

TEST(FreeListPool, HandsEachChainToOneThread)
{
    free_list_pool<block> d;
    constexpr int chains = 16;
    for (int i = 0; i < chains; ++i) {
        ASSERT_TRUE(d.put(make_chain(2)));
    }
    std::atomic<int> taken{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 2000; ++round) {
                block* const chain = d.take();
                if (chain == nullptr) {
                    continue;
                }
                ++taken;
                for (block* b = chain; b != nullptr; b = b->next) {
                    EXPECT_EQ(++b->users, 1);
                }
                for (block* b = chain; b != nullptr; b = b->next) {
                    --b->users;
                }
                while (!d.put(chain)) {
                    std::this_thread::yield();
                }
            }
        });
    }
    for (auto& t : threads) {
        t.join();
    }
    EXPECT_GT(taken.load(), 0);
    int left = 0;
    while (block* const chain = d.take()) {
        EXPECT_EQ(length(chain), 2);
        free_list_pool<block>::free_chain(chain);
        ++left;
    }
    EXPECT_EQ(left, chains);
}

}  // namespace
}  // namespace artel::openmp
