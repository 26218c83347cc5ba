// What the tests of the C++ interface share.
#pragma once

#include <artel.h>
#include <artel/artel.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace test {

// Keeps a CPU busy for about that long.
inline void work_for(std::chrono::nanoseconds duration)
{
    const auto until = std::chrono::steady_clock::now() + duration;
    while (std::chrono::steady_clock::now() < until) {
    }
}

// A cheap source of delays that differ from run to run of a loop but not of the test.
class delays {
public:
    explicit delays(std::uint64_t seed) : state_(seed * 2654435761u + 88172645463325252u) {}
    std::chrono::nanoseconds next(unsigned most)
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return std::chrono::nanoseconds(state_ % most);
    }

private:
    std::uint64_t state_;
};

// Thrown by tests; counts how many exist, so that lost and doubled exceptions show.
struct failure : std::runtime_error {
    explicit failure(int value) : std::runtime_error("failure"), number(value) {}
    int number;
};

// How many are inside at once, and the most that ever were.
class attendance {
public:
    void enter()
    {
        const unsigned now = ++inside_;
        unsigned seen = most_;
        while (seen < now && !most_.compare_exchange_weak(seen, now)) {
        }
    }
    void leave() { --inside_; }
    unsigned most() const { return most_; }

private:
    std::atomic<unsigned> inside_{0};
    std::atomic<unsigned> most_{0};
};

// Tells whether every iteration has been run, and once.
class counted {
public:
    explicit counted(std::size_t n) : hits_(n) {}
    void hit(std::size_t i) { hits_.at(i).fetch_add(1, std::memory_order_relaxed); }
    void expect(int times) const
    {
        for (std::size_t i = 0; i < hits_.size(); ++i) {
            ASSERT_EQ(hits_[i].load(std::memory_order_relaxed), times)
                << "iteration " << i << " of " << hits_.size();
        }
    }

private:
    std::vector<std::atomic<int>> hits_;
};

// Runs f with each way to deal out iterations, as it is by itself.
template <class F>
void with_all_algorithms(F f)
{
    f(artel::automatic{});
    f(artel::static_{});
    f(artel::simple{});
    f(artel::dynamic{});
    f(artel::guided{});
    f(artel::lazy{});
    f(artel::heartbeat{});
    f(artel::timespan{});
    f(artel::timespan_grain{});
}

// Runs f with each way, and with ways that deal out so many iterations at a time.
template <class F>
void with_partitioners(F f)
{
    with_all_algorithms(f);
    f(artel::automatic{.grain = 7});
    f(artel::static_{.grain = 100});
    f(artel::simple{.grain = 13});
    f(artel::dynamic{.grain = 5});
    f(artel::lazy{.grain = 3});
}

inline unsigned workers()
{
    return artel_num_threads();
}

// Runs f on `count` external threads at once.
template <class F>
void on_threads(unsigned count, F f)
{
    std::vector<std::thread> threads;
    threads.reserve(count);
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back(f, i);
    }
    for (std::thread& t : threads) {
        t.join();
    }
}

// Runs f(i) on `light` light threads and `external` OS threads at once.
template <class F>
void on_both(int light, unsigned external, F f)
{
    std::vector<artel::light_thread> threads;
    for (int i = 0; i < light; ++i) {
        threads.emplace_back(f, i);
    }
    on_threads(external, [&](unsigned i) { f(light + static_cast<int>(i)); });
    for (auto& t : threads) {
        t.join();
    }
}

// Through the C interface: runs f() on so many light threads, and returns when all have ended.
template <class F>
void on_light_threads(int how_many, F f)
{
    std::vector<artel_light_thread*> threads(static_cast<std::size_t>(how_many));
    for (auto*& t : threads) {
        ASSERT_EQ(artel_light_thread_start(&t, [](void* c) { (*static_cast<F*>(c))(); }, &f), 0);
    }
    for (auto* t : threads) {
        EXPECT_EQ(artel_light_thread_join(t), 0);
    }
}

}  // namespace test
