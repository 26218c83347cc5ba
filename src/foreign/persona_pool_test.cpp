// Personas from the pool: each is a thread of its own to the code that it runs, comes back, and
// ends when it retires.
#include "foreign/persona_pool.hpp"

#include "base/os/yield.hpp"
#include "fiber/persona.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <pthread.h>
#include <set>
#include <vector>

namespace artel::foreign {
namespace {

thread_local int calls = 0;

// The assignment of a persona here: stores its identity.
struct errand {
    std::atomic<unsigned>* done = nullptr;
    retirement* leaves = nullptr;
    pthread_t self{};
    int calls_before = -1;

    static void run(void* argument)
    {
        errand& e = *static_cast<errand*>(argument);
        e.self = ::pthread_self();
        e.calls_before = calls++;
        if (e.leaves != nullptr) {
            e.leaves->enrol_this_persona();
        }
        // release: pairs with the wait in send().
        e.done->fetch_add(1, std::memory_order_release);
    }
};

// Gives that many personas an assignment each, and waits for them.
std::vector<errand> send(unsigned count, retirement* leaves = nullptr)
{
    std::atomic<unsigned> done{0};
    std::vector<errand> errands(count);
    std::vector<assignment> assignments(count);
    int error = -1;
    base::work* next = acquire_personas(count, 0, {}, error);
    EXPECT_EQ(error, 0);
    for (unsigned i = 0; i < count; ++i) {
        EXPECT_NE(next, nullptr);
        auto& persona = static_cast<fiber::fiber&>(*next);
        next = next->next;
        errands[i].done = &done;
        errands[i].leaves = leaves;
        assignments[i] = {errand::run, &errands[i]};
        assign(persona, assignments[i]);
        if (members_are_threads()) {
            start_thread_persona(persona);
        } else {
            persona.home = persona.last = sched::this_worker();
            sched::make_ready_at_home(persona);
        }
    }
    EXPECT_EQ(next, nullptr);
    // acquire: pairs with the release in run().
    while (done.load(std::memory_order_acquire) != count) {
        if (!sched::yield()) {
            base::os::yield();
        }
    }
    return errands;
}

TEST(persona_pool, each_persona_is_a_thread_of_its_own_to_what_it_runs)
{
    const sched::guest_scope inside;
    constexpr unsigned count = 20;
    const std::vector<errand> errands = send(count);
    std::set<pthread_t> threads{::pthread_self()};
    for (const errand& e : errands) {
        threads.insert(e.self);
    }
    EXPECT_EQ(threads.size(), count + 1);
}

TEST(persona_pool, personas_come_back_with_their_thread_local_data)
{
    const sched::guest_scope inside;
    send(3);
    int most = 0;
    for (int round = 0; round < 50 && most < 2; ++round) {
        for (const errand& e : send(3)) {
            most = std::max(most, e.calls_before);
        }
    }
    EXPECT_GE(most, 2);
    EXPECT_EQ(calls, 0);  // ours
}

TEST(persona_pool, those_in_retirement_end)
{
    const sched::guest_scope inside;
    end_idle_personas();
    const std::size_t before = fiber::persona_count();
    retirement end;
    send(5, &end);
    end.finish();
    EXPECT_EQ(fiber::persona_count(), before);
}

TEST(persona_pool, what_is_to_be_done_meanwhile_is_done_once_and_only_when_some_are_made)
{
    const sched::guest_scope inside;
    end_idle_personas();
    int times = 0;
    const assignment count{[](void* n) { ++*static_cast<int*>(n); }, &times};
    int error = -1;
    base::work* const made = acquire_personas(2, 0, count, error);
    EXPECT_EQ(error, 0);
    EXPECT_EQ(times, members_are_threads() ? 0 : 1);
    for (base::work* p = made; p != nullptr;) {
        base::work* const next = p->next;
        persona_is_free(static_cast<fiber::fiber&>(*p), nullptr);
        p = next;
    }
    base::work* const again = acquire_personas(2, 0, count, error);
    EXPECT_EQ(times, members_are_threads() ? 0 : 1);
    for (base::work* p = again; p != nullptr;) {
        base::work* const next = p->next;
        persona_is_free(static_cast<fiber::fiber&>(*p), nullptr);
        p = next;
    }
    end_idle_personas();
}

}  // namespace
}  // namespace artel::foreign
