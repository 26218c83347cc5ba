// Values of light threads and of OS threads.
#include "support.hpp"

#include <memory>
#include <new>

namespace {

std::atomic<int> alive{0};

struct counted {
    int value = 0;
    counted() { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive; }
    ~counted() { --alive; }
};

}  // namespace

TEST(per_light_thread, each_has_its_own_across_waits)
{
    artel::per_light_thread<counted> mine;
    std::vector<artel::light_thread> threads;
    artel::barrier meet(200);
    for (int i = 0; i < 200; ++i) {
        threads.emplace_back([&, i] {
            EXPECT_EQ(mine.find(), nullptr);
            counted* const at = &mine.local();
            EXPECT_EQ(at->value, 0);
            mine->value = i + 1;
            meet.arrive_and_wait();
            EXPECT_EQ(mine.find(), at);
            EXPECT_EQ((*mine).value, i + 1);
        });
    }
    for (auto& t : threads) {
        t.join();
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(mine.find(), nullptr);
}

// Also when a join runs it as a function, on the stack of another one.
TEST(per_light_thread, is_not_the_joiners)
{
    artel::per_light_thread<int> mine;
    mine.local() = 1;
    artel::light_thread([&] {
        EXPECT_EQ(mine.local(), 0);
        mine.local() = 2;
        artel::light_thread([&] {
            EXPECT_EQ(mine.local(), 0);
            mine.local() = 3;
        }).join();
        EXPECT_EQ(mine.local(), 2);
    }).join();
    EXPECT_EQ(mine.local(), 1);
}

TEST(per_light_thread, of_an_os_thread_ends_with_it)
{
    artel::per_light_thread<counted> mine;
    std::thread([&] {
        mine->value = 1;
        artel::light_thread([&] { EXPECT_EQ(mine->value, 0); }).join();
        EXPECT_EQ(mine->value, 1);
    }).join();
    EXPECT_EQ(alive, 0);
}

TEST(per_light_thread, makers_may_throw_ask_and_be_asked_again)
{
    int calls = 0;
    artel::per_light_thread<int> other([&] { return ++calls; });
    artel::per_light_thread<int> mine([&] {
        if (calls == 0) {
            ++calls;
            throw std::bad_alloc();
        }
        return other.local() * 10;
    });
    artel::light_thread([&] {
        EXPECT_THROW(mine.local(), std::bad_alloc);
        EXPECT_EQ(mine.find(), nullptr);
        EXPECT_EQ(mine.local(), 20);
        EXPECT_EQ(mine.local(), 20);
        EXPECT_EQ(other.local(), 2);
    }).join();
}

// Newest first, before the join returns; destructors may wait and ask, and the object be gone.
TEST(per_light_thread, values_end_with_their_light_thread)
{
    std::vector<int> order;
    struct noted {
        std::vector<int>* to = nullptr;
        int number = 0;
        artel::per_light_thread<int>* asks = nullptr;
        ~noted()
        {
            if (to == nullptr) {
                return;
            }
            artel::this_light_thread::yield();
            if (asks != nullptr) {
                EXPECT_EQ(asks->local(), 0);
            }
            to->push_back(number);
        }
    };
    artel::per_light_thread<int> number;
    artel::per_light_thread<noted> first;
    auto second = std::make_unique<artel::per_light_thread<noted>>();
    artel::light_thread t([&] {
        noted& a = first.local();
        a.to = &order;
        a.number = 1;
        a.asks = &number;
        noted& b = second->local();
        b.to = &order;
        b.number = 2;
        second.reset();
    });
    t.join();
    EXPECT_EQ(order, (std::vector<int>{2, 1}));
}
