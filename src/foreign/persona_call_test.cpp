// A light thread that lets a persona do a part of its work: on which code may rely on thread-local
// data, and after which the light thread continues.
#include "foreign/persona_call.hpp"

#include "foreign/persona_pool.hpp"
#include "sched/suspend.hpp"

#include <artel/isolation.hpp>
#include <artel/light_thread.hpp>
#include <atomic>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace artel::foreign {
namespace {

// What a persona does for a light thread here, and what it was to the code that it ran.
struct call {
    fiber::fiber* caller = nullptr;
    pthread_t ran_on{};
    bool could_move = true;

    static void run(void* argument)
    {
        call& c = *static_cast<call*>(argument);
        c.ran_on = ::pthread_self();
        c.could_move = may_move();
        // From then on the call may no longer exist.
        sched::make_ready(*c.caller);
    }

    void make()
    {
        const assignment work{run, this};
        int error = -1;
        fiber::fiber* const persona = acquire_persona(work, 0, error);
        ASSERT_NE(persona, nullptr);
        leave_to_persona(*persona, caller);
    }
};

// Runs the body in a light thread on a worker. join() alone could run it on the caller's own stack.
template <class Body>
void in_a_light_thread(Body body)
{
    std::atomic<bool> ended{false};
    light_thread t([&] {
        body();
        ended.store(true, std::memory_order_release);  // pairs with the acquire below
    });
    while (!ended.load(std::memory_order_acquire)) {  // pairs with the release above
        ::usleep(100);
    }
    t.join();
}

TEST(persona_call, light_threads_may_move_and_threads_may_not)
{
    EXPECT_FALSE(may_move());
    in_a_light_thread([] {
        EXPECT_TRUE(may_move());
        {
            const isolation here;
            EXPECT_FALSE(may_move());
        }
        EXPECT_TRUE(may_move());
    });
}

TEST(persona_call, the_call_is_made_on_a_thread_of_its_own)
{
    const pthread_t outside = ::pthread_self();
    in_a_light_thread([outside] {
        const pthread_t before = ::pthread_self();
        call c;
        c.make();
        EXPECT_FALSE(c.could_move);
        EXPECT_FALSE(::pthread_equal(c.ran_on, before));
        EXPECT_FALSE(::pthread_equal(c.ran_on, outside));
        EXPECT_TRUE(may_move());
    });
}

TEST(persona_call, many_light_threads_each_get_their_answer)
{
    constexpr int count = 40;
    std::vector<int> returned(count, 0);
    std::atomic<int> ended{0};
    std::vector<light_thread> callers;
    for (int i = 0; i < count; ++i) {
        callers.emplace_back([&returned, &ended, i] {
            for (int turn = 0; turn < 5; ++turn) {
                call c;
                c.make();
                returned[static_cast<std::size_t>(i)] += c.could_move ? 0 : 1;
            }
            ended.fetch_add(1, std::memory_order_relaxed);  // relaxed: join() publishes
        });
    }
    while (ended.load(std::memory_order_relaxed) < count) {  // relaxed: as above
        ::usleep(100);
    }
    for (light_thread& caller : callers) {
        caller.join();
    }
    EXPECT_EQ(returned, std::vector<int>(count, 5));
}

}  // namespace
}  // namespace artel::foreign
