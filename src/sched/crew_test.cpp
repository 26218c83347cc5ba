// The number of own threads of a crew, their placement, and the remains of threads that have ended.
#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "base/os/yield.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <latch>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace artel;

TEST(crew, has_an_own_thread_more_when_a_second_external_thread_has_come)
{
    sched::crew& c = sched::crew::get();
    const unsigned beside_one = std::max(1u, c.width() - 1);
    const sched::guest_scope first;
    std::thread([&] { const sched::guest_scope second; }).join();
    EXPECT_EQ(c.member_limit(), std::max(beside_one, c.width()));
    const unsigned last = c.member_limit() - 1;
    EXPECT_NE(c.member(last), nullptr);
    std::thread([&] { const sched::guest_scope third; }).join();
    EXPECT_EQ(c.member_limit(), std::max(beside_one, c.width()));
}

// Occupies the worker that runs it.
struct occupation : base::work {
    std::atomic<bool> begun{false};
    std::atomic<bool> over{false};

    occupation() noexcept
    {
        run = [](void*, base::work& self) {
            auto& o = static_cast<occupation&>(self);
            // release: pairs with the acquire of the test. acquire: with the release of its end,
            // after which it is gone.
            o.begun.store(true, std::memory_order_release);
            while (!o.over.load(std::memory_order_acquire)) {
                base::os::yield();
            }
            o.begun.store(false, std::memory_order_release);  // release: as above
        };
    }
};

// Teams of several external threads begin with different own threads.
TEST(crew, makes_the_own_thread_that_is_missing_before_others)
{
    sched::crew& c = sched::crew::get();
    ASSERT_NE(c.enter(), nullptr);
    std::thread([&] { c.enter(); }).join();
    const unsigned limit = c.member_limit();
    std::vector<occupation> occupations(limit - 1);
    for (unsigned i = 1; i < limit; ++i) {
        occupation& o = occupations[i - 1];
        sched::post(*c.member(i), o, o);
        while (!o.begun.load(std::memory_order_acquire)) {  // acquire: see occupation
            base::os::yield();
        }
    }
    c.notify(nullptr);
    EXPECT_EQ(c.member_count(), limit);
    for (occupation& o : occupations) {
        o.over.store(true, std::memory_order_release);     // release: see occupation
        while (o.begun.load(std::memory_order_acquire)) {  // acquire: see occupation
            base::os::yield();
        }
    }
}

// External threads, all at the same time, so that each has its own slot; they have ended when it
// returns.
void come_and_go(int threads)
{
    std::latch all(threads);
    std::vector<std::thread> guests;
    for (int i = 0; i < threads; ++i) {
        guests.emplace_back([&] {
            const sched::guest_scope scope;
            all.arrive_and_wait();
        });
    }
    for (std::thread& t : guests) {
        t.join();
    }
}

unsigned slots_swept(const sched::crew& c)
{
    unsigned n = 0;
    c.any_worker([&](const sched::worker&) {
        ++n;
        return false;
    });
    return n;
}

TEST(crew, a_sweep_visits_no_threads_that_have_ended)
{
    sched::crew& c = sched::crew::get();
    sched::worker* const self = c.enter();
    come_and_go(300);
    EXPECT_LE(slots_swept(c), c.member_count() + c.reserve_count() + 1);
    const std::uint64_t sweeps = self->sweeps.value();
    const std::uint64_t visits = self->visits.value();
    while (base::work* const found = c.take_from_others(*self)) {
        sched::post(*c.member(0), *found, *found);
    }
    const std::uint64_t more = self->sweeps.value() - sweeps;
    ASSERT_GE(more, 1u);
    // Each sweep goes round twice, for near workers and for far ones.
    EXPECT_LE(self->visits.value() - visits, more * 2 * (c.member_limit() + c.reserve_count() + 1));
}

TEST(crew, threads_that_come_one_after_the_other_have_the_same_slot)
{
    sched::crew& c = sched::crew::get();
    c.enter();
    come_and_go(20);
    unsigned first = 0;
    std::thread([&] { first = c.enter()->index; }).join();
    for (int i = 0; i < 5; ++i) {
        std::thread([&] { EXPECT_EQ(c.enter()->index, first); }).join();
    }
    const unsigned before = c.table_size();
    come_and_go(10);
    EXPECT_EQ(c.table_size(), before);
}

std::size_t address_space()
{
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(crew, nothing_stays_mapped_of_threads_that_have_ended)
{
    sched::crew& c = sched::crew::get();
    c.enter();
    const auto come_and_go_in_turn = [&](int threads) {
        for (int i = 0; i < threads; ++i) {
            std::thread([&] { c.enter(); }).join();
        }
    };
    come_and_go_in_turn(20);  // the C library keeps a stack, and an arena
    const std::size_t before = address_space();
    constexpr int many = 500;
    come_and_go_in_turn(many);
    EXPECT_LE(address_space(), before + many * std::size_t{4096});
}

// The signal stack that a thread had before is restored when the thread ends, in the second round
// of the destructors of pthread keys: after the crew has released the thread, and before
// AddressSanitizer unmaps the one set then, which it takes for its own.
struct former_signal_stack {
    stack_t stack{};
    pthread_key_t key{};
    bool second_round = false;

    static void restore(void* argument)
    {
        auto& self = *static_cast<former_signal_stack*>(argument);
        if (std::exchange(self.second_round, true)) {
            ::sigaltstack(&self.stack, nullptr);
        } else {
            ::pthread_setspecific(self.key, argument);
        }
    }
};

// An alternate signal stack made by the program stays the program's, whatever its size.
TEST(crew, leaves_the_signal_stack_of_the_program_alone)
{
    std::vector<char> memory(std::size_t{32} * 1024);
    former_signal_stack former;
    ASSERT_EQ(::pthread_key_create(&former.key, former_signal_stack::restore), 0);
    std::thread([&] {
        stack_t mine{};
        mine.ss_sp = memory.data();
        mine.ss_size = memory.size();
        ASSERT_EQ(::sigaltstack(&mine, &former.stack), 0);
        ASSERT_EQ(::pthread_setspecific(former.key, &former), 0);
        sched::crew::get().enter();
    }).join();
    ::pthread_key_delete(former.key);
    EXPECT_TRUE(former.second_round);
    std::ranges::fill(memory, 1);  // a fault if it were unmapped
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

TEST(crew, a_slot_whose_thread_has_ended_has_no_clock)
{
    sched::crew& c = sched::crew::get();
    c.enter();
    sched::worker* gone = nullptr;
    std::thread([&] {
        gone = c.enter();
        EXPECT_NE(gone->cpu_clock.load(std::memory_order_relaxed), 0);  // relaxed: our own
    }).join();
    // relaxed: after the join.
    EXPECT_EQ(gone->cpu_clock.load(std::memory_order_relaxed), 0);
}

TEST(crew, own_threads_sit_by_their_number)
{
    sched::crew& c = sched::crew::get();
    come_and_go(20);
    for (unsigned i = 0; i < c.member_limit(); ++i) {
        ASSERT_NE(c.member(i), nullptr);
        EXPECT_EQ(c.member(i)->seat, i + 1);
        EXPECT_EQ(c.in_seat(i + 1), c.member(i));
    }
}

struct note : base::work {
    std::atomic<bool>* done = nullptr;
    note() noexcept
    {
        run = [](void*, base::work& self) {
            // release: pairs with the acquire of the test.
            static_cast<note&>(self).done->store(true, std::memory_order_release);
        };
    }
};

void wait_for(const std::atomic<bool>& done)
{
    while (!done.load(std::memory_order_acquire)) {  // acquire: see note
        base::os::yield();
    }
}

TEST(crew, what_is_posted_to_a_thread_that_has_ended_is_run)
{
    sched::crew& c = sched::crew::get();
    c.enter();
    sched::worker* gone = nullptr;
    std::thread([&] { gone = c.enter(); }).join();
    std::atomic<bool> done{false};
    note item;
    item.done = &done;
    sched::post(*gone, item, item);
    wait_for(done);
}

TEST(crew, what_a_thread_leaves_in_its_queues_is_run)
{
    sched::crew& c = sched::crew::get();
    c.enter();
    std::atomic<bool> done[3]{};
    note items[3];
    for (int i = 0; i < 3; ++i) {
        items[i].done = &done[i];
    }
    std::thread([&] {
        sched::worker& w = *c.enter();
        w.tasks.push(&items[0]);
        w.ready.push(&items[1]);
        w.mail.post(items[2]);
    }).join();
    for (const std::atomic<bool>& each : done) {
        wait_for(each);
    }
}

// No fiber of foreign code exists that the monitor could count.
TEST(crew, work_posted_to_a_worker_that_does_not_come_back_gets_an_os_thread)
{
    sched::crew& c = sched::crew::get();
    c.start_monitor();
    c.enter();
    std::vector<occupation> occupations(c.member_limit());
    for (unsigned i = 0; i < occupations.size(); ++i) {
        sched::post(*c.member(i), occupations[i], occupations[i]);
    }
    for (const occupation& o : occupations) {
        wait_for(o.begun);
    }
    std::atomic<bool> done{false};
    note item;
    item.done = &done;
    sched::post(*c.member(0), item, item);
    wait_for(done);
    for (occupation& o : occupations) {
        o.over.store(true, std::memory_order_release);     // release: see occupation
        while (o.begun.load(std::memory_order_acquire)) {  // acquire: as above
            base::os::yield();
        }
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
            r.begun.store(true, std::memory_order_release);  // release: as occupation
            char c;
            [[maybe_unused]] const ssize_t n = ::read(r.ends[0], &c, 1);
            r.over.store(true, std::memory_order_release);  // release: as occupation
        };
    }
};

// However long the first one waits for a CPU.
TEST(crew, mail_behind_a_blocked_worker_adds_one_reserve)
{
    sched::crew& c = sched::crew::get();
    c.start_monitor();
    const sched::guest_scope scope;  // so that the monitor does not sleep
    std::vector<reading> readings(c.member_limit());
    for (unsigned i = 0; i < readings.size(); ++i) {
        ASSERT_EQ(::pipe(readings[i].ends), 0);
        sched::post(*c.member(i), readings[i], readings[i]);
    }
    for (const reading& r : readings) {
        wait_for(r.begun);
    }
    const std::uint64_t before = c.reserves_added(sched::crew::cause::blocked);
    std::atomic<bool> stop{false};
    std::vector<std::thread> others;
    for (unsigned i = 0; i < 16 * c.width(); ++i) {
        others.emplace_back([&] {
            while (!stop.load(std::memory_order_relaxed)) {  // relaxed: soon
            }
        });
    }
    std::atomic<bool> done{false};
    note item;
    item.done = &done;
    sched::post(*c.member(0), item, item);
    while (!done.load(std::memory_order_acquire)) {  // acquire: see note
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_LE(c.reserves_added(sched::crew::cause::blocked) - before, 1u);
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
    sched::worker& idle = *c.member(0);
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
