// The number of own threads of a crew, and the OS threads that it adds for posted work.
#include "sched/crew.hpp"
#include "base/options.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "base/os/yield.hpp"
#include "sched/guest_scope.hpp"
#include "sched/work_test.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace artel;
using sched::note;
using sched::occupation;
using sched::wait_for;

TEST(crew, has_an_own_thread_more_when_a_second_external_thread_has_come)
{
    sched::crew& c = sched::crew::get();
    const unsigned beside_one = std::max(1u, c.width() - 1);
    const sched::guest_scope first;
    std::thread([&] { const sched::guest_scope second; }).join();
    EXPECT_EQ(c.own_worker_limit(), std::max(beside_one, c.width()));
    const unsigned last = c.own_worker_limit() - 1;
    EXPECT_NE(c.own_worker(last), nullptr);
    std::thread([&] { const sched::guest_scope third; }).join();
    EXPECT_EQ(c.own_worker_limit(), std::max(beside_one, c.width()));
}

// Teams of several external threads begin with different own threads.
TEST(crew, makes_the_own_thread_that_is_missing_before_others)
{
    sched::crew& c = sched::crew::get();
    ASSERT_NE(c.enter(), nullptr);
    std::thread([&] { c.enter(); }).join();
    const unsigned limit = c.own_worker_limit();
    std::vector<occupation> occupations(limit - 1);
    for (unsigned i = 1; i < limit; ++i) {
        occupation& o = occupations[i - 1];
        sched::post(*c.own_worker(i), o, o);
        wait_for(o.begun);
    }
    c.notify(nullptr);
    EXPECT_EQ(c.own_worker_count(), limit);
    for (occupation& o : occupations) {
        o.end();
    }
}

TEST(crew, a_thread_that_is_no_worker_yields_to_nobody)
{
    std::thread([] {
        ASSERT_EQ(sched::this_worker(), nullptr);
        EXPECT_FALSE(sched::yield());
        EXPECT_FALSE(sched::yield_to_tasks_too());
        EXPECT_FALSE(sched::yield_to_anybody());
    }).join();
}

// No fiber of foreign code exists that the monitor could count.
TEST(crew, work_posted_to_a_worker_that_does_not_come_back_gets_an_os_thread)
{
    sched::crew& c = sched::crew::get();
    c.start_monitor();
    c.enter();
    std::vector<occupation> occupations(c.own_worker_limit());
    for (unsigned i = 0; i < occupations.size(); ++i) {
        sched::post(*c.own_worker(i), occupations[i], occupations[i]);
    }
    for (const occupation& o : occupations) {
        wait_for(o.begun);
    }
    std::atomic<bool> done{false};
    note item;
    item.done = &done;
    sched::post(*c.own_worker(0), item, item);
    wait_for(done);
    for (occupation& o : occupations) {
        o.end();
    }
}

// Blocks the worker that runs it in the kernel.
struct reading : base::work {
    int ends[2];
    std::atomic<bool> begun{false};
    std::atomic<bool> over{false};

    reading() noexcept
    {
        run = [](void*, base::work& self) {
            auto& r = static_cast<reading&>(self);
            r.begun.store(true, std::memory_order_release);  // release: as in occupation
            char c;
            [[maybe_unused]] const ssize_t n = ::read(r.ends[0], &c, 1);
            r.over.store(true, std::memory_order_release);  // release: as in occupation
        };
    }
};

// However long the first one waits for a CPU.
TEST(crew, mail_behind_a_blocked_worker_adds_few_reserves)
{
    sched::crew& c = sched::crew::get();
    c.start_monitor();
    const sched::guest_scope scope;  // so that the monitor does not sleep
    std::vector<reading> readings(c.own_worker_limit());
    for (unsigned i = 0; i < readings.size(); ++i) {
        ASSERT_EQ(::pipe(readings[i].ends), 0);
        sched::post(*c.own_worker(i), readings[i], readings[i]);
    }
    for (const reading& r : readings) {
        wait_for(r.begun);
    }
    const std::uint64_t before = c.reserves_added(sched::crew::cause::blocked);
    std::atomic<bool> stop{false};
    std::vector<std::thread> others;
    // Other tests of the same process may have made the crew wider.
    for (unsigned i = 0; i < std::min(16 * c.width(), 64u); ++i) {
        others.emplace_back([&] {
            while (!stop.load(std::memory_order_relaxed)) {  // relaxed: soon
            }
        });
    }
    std::atomic<bool> done{false};
    note item;
    item.done = &done;
    const auto begin = std::chrono::steady_clock::now();
    sched::post(*c.own_worker(0), item, item);
    while (!done.load(std::memory_order_acquire)) {  // acquire: see note
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const auto ticks = static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begin) /
                                                  base::options().monitor);
    // One, and one more for each tick that the first one loses its CPU between its first step and
    // the mail. Without the rule each tick adds twice as many as the last, up to 64.
    EXPECT_LE(c.reserves_added(sched::crew::cause::blocked) - before, ticks + 2);
    stop.store(true, std::memory_order_relaxed);  // relaxed: as above
    for (std::thread& t : others) {
        t.join();
    }
    for (reading& r : readings) {
        ASSERT_EQ(::write(r.ends[1], "", 1), 1);
        wait_for(r.over);
        ::close(r.ends[0]);
        ::close(r.ends[1]);
    }
}

// What its owner will take as soon as it has a CPU needs no other OS thread.
TEST(crew, mail_of_a_worker_without_work_adds_no_reserve)
{
    using namespace std::chrono_literals;
    sched::crew& c = sched::crew::get();
    c.start_monitor();
    const sched::guest_scope scope;  // so that the monitor does not sleep
    sched::worker& idle = *c.own_worker(0);
    while (!idle.idle.load(std::memory_order_relaxed)) {  // relaxed: an estimate will do
        base::os::yield();
    }
    std::this_thread::sleep_for(200ms);  // without a switch
    const std::uint64_t before = c.reserves_added(sched::crew::cause::blocked);
    std::atomic<bool> done[2]{};
    note items[2];
    items[0].done = &done[0];
    items[1].done = &done[1];
    idle.mail.post(items[0]);  // as if its OS thread waited for a CPU since the wake-up
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(c.reserves_added(sched::crew::cause::blocked), before);
    sched::post(idle, items[1], items[1]);
    wait_for(done[0]);
    wait_for(done[1]);
}

}  // namespace
