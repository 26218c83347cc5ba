// External threads that come and end: their slots, what they leave in their queues, and where the
// crew's own threads sit beside them.
#include "sched/crew.hpp"
#include "sched/push.hpp"

#include "sched/guest_scope.hpp"
#include "sched/work_test.hpp"

#include <algorithm>
#include <atomic>
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
using sched::note;
using sched::wait_for;

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

TEST(external_threads, a_sweep_visits_no_threads_that_have_ended)
{
    sched::crew& c = sched::crew::get();
    sched::worker* const self = c.enter();
    come_and_go(300);
    EXPECT_LE(slots_swept(c), c.own_worker_count() + c.reserve_count() + 1);
    const std::uint64_t sweeps = self->sweeps.value();
    const std::uint64_t visits = self->visits.value();
    while (base::work* const found = c.take_from_others(*self)) {
        sched::post(*c.own_worker(0), *found, *found);
    }
    const std::uint64_t more = self->sweeps.value() - sweeps;
    ASSERT_GE(more, 1u);
    // Each sweep goes round twice, for near workers and for far ones.
    EXPECT_LE(self->visits.value() - visits,
              more * 2 * (c.own_worker_limit() + c.reserve_count() + 1));
}

TEST(external_threads, threads_that_come_one_after_the_other_have_the_same_slot)
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

TEST(external_threads, nothing_stays_mapped_of_threads_that_have_ended)
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
TEST(external_threads, leaves_the_signal_stack_of_the_program_alone)
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

TEST(external_threads, a_slot_whose_thread_has_ended_has_no_clock)
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

TEST(external_threads, own_threads_sit_by_their_number)
{
    sched::crew& c = sched::crew::get();
    come_and_go(20);
    for (unsigned i = 0; i < c.own_worker_limit(); ++i) {
        ASSERT_NE(c.own_worker(i), nullptr);
        EXPECT_EQ(c.own_worker(i)->seat, i + 1);
        EXPECT_EQ(c.in_seat(i + 1), c.own_worker(i));
    }
}

TEST(external_threads, what_is_posted_to_a_thread_that_has_ended_is_run)
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

TEST(external_threads, what_a_thread_leaves_in_its_queues_is_run)
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

}  // namespace
