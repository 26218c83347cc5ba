// Readers and writers, on more light threads than workers and on threads of the program's.
#include "support.hpp"

#include <memory>
#include <mutex>
#include <shared_mutex>

TEST(shared_mutex, readers_together_writers_alone)
{
    artel::shared_mutex lock;
    EXPECT_TRUE(lock.try_lock_shared());
    EXPECT_TRUE(lock.try_lock_shared());
    EXPECT_FALSE(lock.try_lock());
    lock.unlock_shared();
    EXPECT_FALSE(lock.try_lock());
    lock.unlock_shared();
    EXPECT_TRUE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock_shared());
    lock.unlock();
    EXPECT_TRUE(lock.try_lock_shared());
    lock.unlock_shared();
}

TEST(shared_mutex, a_waiting_writer_keeps_readers_out)
{
    artel::shared_mutex lock;
    lock.lock_shared();
    std::atomic<bool> written{false};
    artel::light_thread writer([&] {
        const std::unique_lock held(lock);
        written = true;
    });
    while (lock.try_lock_shared()) {
        lock.unlock_shared();
        artel::this_light_thread::yield();
        std::this_thread::yield();
    }
    EXPECT_FALSE(written);
    std::atomic<bool> read{false};
    artel::light_thread reader([&] {
        const std::shared_lock held(lock);
        read = true;
    });
    artel::this_light_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_FALSE(written);
    EXPECT_FALSE(read);
    lock.unlock_shared();
    writer.join();
    reader.join();
    EXPECT_TRUE(written);
    EXPECT_TRUE(read);
}

// What is read never changes under a reader, and nothing that was written is lost.
void read_and_write(artel::shared_mutex& lock, long (&values)[2], unsigned seed, int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        if ((static_cast<unsigned>(i) + seed) % 4 == 0) {
            const std::unique_lock held(lock);
            ++values[0];
            if (i % 16 == 0) {
                artel::this_light_thread::yield();
            }
            ++values[1];
        } else {
            const std::shared_lock held(lock);
            const long before = values[0];
            EXPECT_EQ(values[1], before);
            if (i % 8 == 1) {
                artel::this_light_thread::yield();
                EXPECT_EQ(values[0], before);
            }
        }
    }
}

TEST(shared_mutex, stress)
{
    constexpr int rounds = 400;
    artel::shared_mutex lock;
    long values[2] = {0, 0};
    std::vector<artel::light_thread> light;
    for (unsigned i = 0; i < 100; ++i) {
        light.emplace_back(read_and_write, std::ref(lock), std::ref(values), i, rounds);
    }
    std::thread outside(read_and_write, std::ref(lock), std::ref(values), 100u, rounds);
    for (auto& t : light) {
        t.join();
    }
    outside.join();
    EXPECT_EQ(values[0], 101 * rounds / 4);
    EXPECT_EQ(values[1], values[0]);
}

// It may be destroyed as soon as its last holder has released it, however recently another one has.
TEST(shared_mutex, is_destroyed_by_who_had_it_last)
{
    for (int i = 0; i < 2000; ++i) {
        auto lock = std::make_unique<artel::shared_mutex>();
        lock->lock();
        artel::light_thread other([at = lock.get(), i] {
            if (i % 2 == 0) {
                at->lock_shared();
                at->unlock_shared();
            } else {
                at->lock();
                at->unlock();
            }
        });
        lock->unlock();
        other.join();
        lock.reset();
    }
}
