// What the child of a fork finds: free locks and complete data, whatever other threads were doing
// with them when the process forked.
#include "foreign/fork_safe_lock.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace artel::foreign {
namespace {

fork_safe_lock first_lock;
fork_safe_lock second_lock;

// Two numbers that differ only while the lock is held.
struct pair_of_equals {
    // volatile: the two writes are not to become one.
    volatile int one = 0;
    volatile int other = 0;

    void change()
    {
        one = one + 1;
        other = other + 1;
    }
    bool complete() const { return one == other; }
};

pair_of_equals under_first;
pair_of_equals under_second;

// In the child, which has this thread only.
int what_the_child_finds()
{
    if (!first_lock.try_lock() || !second_lock.try_lock()) {
        return 1;
    }
    return under_first.complete() && under_second.complete() ? 0 : 2;
}

TEST(fork_safe_lock, excludes)
{
    const std::scoped_lock hold(first_lock);
    EXPECT_FALSE(first_lock.try_lock());
    ASSERT_TRUE(second_lock.try_lock());
    second_lock.unlock();
}

TEST(fork_safe_lock, children_find_locks_free_and_data_complete)
{
    std::atomic<bool> stop{false};
    std::vector<std::thread> users;
    for (auto [lock, data] :
         {std::pair{&first_lock, &under_first}, {&second_lock, &under_second}}) {
        users.emplace_back([&stop, lock, data] {
            while (!stop.load(std::memory_order_relaxed)) {  // relaxed: seen some time
                const std::scoped_lock hold(*lock);
                data->change();
            }
        });
    }
    for (int i = 0; i < 20; ++i) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::_exit(what_the_child_finds());
        }
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    stop.store(true, std::memory_order_relaxed);  // relaxed: see above
    for (std::thread& user : users) {
        user.join();
    }
    // The parent's are given back, too.
    EXPECT_EQ(what_the_child_finds(), 0);
    first_lock.unlock();
    second_lock.unlock();
}

TEST(made, is_made_once)
{
    static std::vector<int>* numbers = nullptr;
    const std::scoped_lock hold(first_lock);
    std::vector<int>& them = made(numbers);
    EXPECT_TRUE(them.empty());
    them.push_back(7);
    EXPECT_EQ(&made(numbers), &them);
    EXPECT_EQ(made(numbers), std::vector<int>{7});
    delete numbers;
}

}  // namespace
}  // namespace artel::foreign
