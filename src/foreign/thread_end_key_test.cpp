// When the function of a key is called at the end of a thread, how often, and with which value.
#include "foreign/thread_end_key.hpp"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace artel::foreign {
namespace {

// What happened at the end of a thread, in order. Read after the thread was joined.
std::vector<std::string> events;

void note(void* value)
{
    events.emplace_back(static_cast<const char*>(value));
}

thread_end_key noting{note};

TEST(thread_end_key, is_told_the_value_that_was_set_last)
{
    events.clear();
    std::thread([] {
        EXPECT_TRUE(noting.set("first"));
        EXPECT_TRUE(noting.set("last"));
        EXPECT_TRUE(events.empty());
    }).join();
    EXPECT_EQ(events, std::vector<std::string>{"last"});
}

TEST(thread_end_key, is_told_of_threads_that_asked_only)
{
    events.clear();
    EXPECT_TRUE(noting.make());
    std::thread([] {}).join();
    std::thread([] {
        EXPECT_TRUE(noting.set("unwanted"));
        EXPECT_TRUE(noting.set(nullptr));
    }).join();
    EXPECT_TRUE(events.empty());
}

struct noted_end {
    ~noted_end() { events.emplace_back("object"); }
};

TEST(thread_end_key, is_told_after_thread_local_objects_are_gone)
{
    events.clear();
    std::thread([] {
        EXPECT_TRUE(noting.set("key"));
        [[maybe_unused]] thread_local const noted_end object;
    }).join();
    EXPECT_EQ(events, (std::vector<std::string>{"object", "key"}));
}

void again(void* value);
thread_end_key repeating{again};

void again(void* value)
{
    const std::string said = static_cast<const char*>(value);
    events.push_back(said);
    if (said == "once") {
        EXPECT_TRUE(repeating.set("twice"));
    }
}

TEST(thread_end_key, may_be_set_again_at_the_end)
{
    events.clear();
    std::thread([] { EXPECT_TRUE(repeating.set("once")); }).join();
    EXPECT_EQ(events, (std::vector<std::string>{"once", "twice"}));
}

std::atomic<int> ended{0};

void count(void*)
{
    ended.fetch_add(1, std::memory_order_relaxed);  // relaxed: read after all were joined
}

// Of a key that several threads make at the same time one is kept, and each thread has set that.
TEST(thread_end_key, may_be_made_by_several_threads_at_a_time)
{
    constexpr int rounds = 20;
    constexpr int threads = 8;
    // Keys are never deleted, so they outlive the test.
    static std::array<thread_end_key, rounds> keys = [] {
        return []<std::size_t... i>(std::index_sequence<i...>) {
            return std::array<thread_end_key, rounds>{((void)i, thread_end_key{count})...};
        }(std::make_index_sequence<rounds>{});
    }();
    ended.store(0, std::memory_order_relaxed);  // relaxed: before the threads start
    for (thread_end_key& key : keys) {
        std::atomic<int> here{0};
        std::vector<std::thread> all;
        for (int i = 0; i < threads; ++i) {
            all.emplace_back([&] {
                here.fetch_add(1, std::memory_order_relaxed);  // relaxed: only to begin together
                while (here.load(std::memory_order_relaxed) != threads) {  // relaxed: as above
                    std::this_thread::yield();
                }
                EXPECT_TRUE(key.set(&key));
            });
        }
        for (std::thread& t : all) {
            t.join();
        }
    }
    EXPECT_EQ(ended.load(std::memory_order_relaxed), rounds * threads);  // relaxed: all joined
}

}  // namespace
}  // namespace artel::foreign
