// When many external threads stop using the crew, whatever they did last, its workers fall asleep
// after a bounded search. Counted, not timed.
#include "sched/crew.hpp"
#include "sched/suspend.hpp"

#include "base/os/yield.hpp"

#include <artel/artel.hpp>
#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <thread>
#include <vector>

namespace {

using namespace artel;

constexpr int threads = 64;
constexpr int turns = 40;
// One search is some hundred sweeps, and a worker that loses a race for the last work searches
// again.
constexpr std::uint64_t most_sweeps = 1000;

void do_something(std::uint64_t random)
{
    std::atomic<int> sum{0};
    switch (random % 5) {
    case 0: parallel_for(0, static_cast<int>(random % 300), [&](int i) { sum += i; }); return;
    case 1: light_thread([&] { ++sum; }).join(); return;
    case 2: light_thread([] {}).detach(); return;
    case 3: parallel_invoke([&] { ++sum; }, [&] { ++sum; }); return;
    default: break;
    }
    task_group group;
    for (int i = 0; i < 4; ++i) {
        group.run([&] { ++sum; });
    }
    group.wait();
}

std::uint64_t sweeps_of_own_threads(const sched::crew& c)
{
    std::uint64_t sum = 0;
    c.any_worker([&](const sched::worker& w) {
        sum += w.kind == sched::role::own ? w.sweeps.value() : 0;
        return false;
    });
    return sum;
}

bool all_asleep(const sched::crew& c)
{
    return !c.any_worker([](const sched::worker& w) {
        return w.kind == sched::role::own && (w.has_work() || !w.bed.is_parked());
    });
}

TEST(quiet, workers_fall_asleep_after_a_bounded_search)
{
    sched::crew& c = sched::crew::get();
    for (int round = 0; round < 5; ++round) {
        std::latch begun(threads);
        std::latch done(threads);
        std::atomic<bool> over{false};
        std::vector<std::thread> guests;
        for (int t = 0; t < threads; ++t) {
            guests.emplace_back([&, t] {
                begun.arrive_and_wait();
                std::uint64_t random = static_cast<std::uint64_t>(round * threads + t) +
                                       88172645463325252;
                for (int i = 0; i < turns; ++i) {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    do_something(random >> 20);
                }
                done.count_down();
                over.wait(false);  // still known to the crew
            });
        }
        done.wait();
        const std::uint64_t before = sweeps_of_own_threads(c);
        while (!all_asleep(c)) {
            base::os::yield();
        }
        const std::uint64_t after = sweeps_of_own_threads(c);
        EXPECT_LE(after - before, most_sweeps * c.own_worker_count());
        for (int i = 0; i < 1000; ++i) {
            base::os::yield();
        }
        EXPECT_EQ(sweeps_of_own_threads(c), after) << "woken by nobody";
        over = true;
        over.notify_all();
        for (std::thread& t : guests) {
            t.join();
        }
    }
}

}  // namespace
