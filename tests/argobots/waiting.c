/* Barriers, eventuals, futures and suspensions, by ULTs on all streams and by the program's own
   thread. */
#include "check.h"

#include <stdatomic.h>

enum { each = 20, rounds = 50 };

static atomic_int ran;
static int plain;
static ABT_barrier barrier;
static ABT_eventual eventual;
static ABT_future future;

static void meets(void* argument)
{
    (void)argument;
    for (int i = 1; i <= rounds; ++i) {
        ++ran;
        OK(ABT_barrier_wait(barrier));
        CHECK(ran == i * streams * each);
        OK(ABT_barrier_wait(barrier));
    }
}

static void barriers(void)
{
    ran = 0;
    OK(ABT_barrier_create(1, &barrier));
    OK(ABT_barrier_wait(barrier));
    OK(ABT_barrier_reinit(barrier, (uint32_t)(streams * each)));
    everywhere(each, meets, NULL);
    OK(ABT_barrier_free(&barrier));
}

static void awaits_value(void* argument)
{
    (void)argument;
    void* value;
    OK(ABT_eventual_wait(eventual, &value));
    CHECK(*(int*)value == 42);
    OK(ABT_future_wait(future));
    ++ran;
}

static void give_values(void)
{
    int value = 42;
    ABT_bool ready;
    OK(ABT_self_yield());
    OK(ABT_eventual_test(eventual, NULL, &ready));
    CHECK(ready == ABT_FALSE && ran == 0);
    CHECK(ABT_eventual_set(eventual, &value, 400) == ABT_ERR_INV_EVENTUAL);
    OK(ABT_eventual_set(eventual, &value, sizeof value));
    CHECK(ABT_eventual_set(eventual, &value, sizeof value) == ABT_ERR_EVENTUAL);
    OK(ABT_future_set(future, &value));
    OK(ABT_future_test(future, &ready));
    CHECK(ready == ABT_FALSE && ran == 0);
    OK(ABT_future_set(future, &plain));
    CHECK(ABT_future_set(future, &plain) == ABT_ERR_FUTURE);
}

static void complete(void** values)
{
    CHECK(*(int*)values[0] == 42 && values[1] == &plain);
    CHECK(ran == 0);
}

static void values(void)
{
    ran = 0;
    OK(ABT_eventual_create(sizeof(int), &eventual));
    OK(ABT_future_create(2, complete, &future));
    everywhere(each, awaits_value, give_values);
    CHECK(ran == streams * each);
    OK(ABT_eventual_reset(eventual));
    OK(ABT_future_reset(future));
    OK(ABT_eventual_free(&eventual));
    OK(ABT_future_free(&future));
}

/* The callback lets somebody go on who resets the future at once: it has been ready by then. */
static ABT_eventual called;
static void lets_reset(void** ignored)
{
    (void)ignored;
    OK(ABT_eventual_set(called, NULL, 0));
    for (int i = 0; i < 20; ++i) {
        OK(ABT_self_yield());
    }
}
static void sets(void* argument)
{
    (void)argument;
    OK(ABT_future_set(future, NULL));
}
static void resets(void)
{
    ABT_bool ready;
    OK(ABT_future_create(1, lets_reset, &future));
    OK(ABT_eventual_create(0, &called));
    for (int i = 0; i < rounds; ++i) {
        ABT_thread t;
        OK(ABT_thread_create(pool[i % streams], sets, NULL, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_eventual_wait(called, NULL));
        OK(ABT_eventual_reset(called));
        OK(ABT_future_reset(future));
        OK(ABT_thread_free(&t));
        OK(ABT_future_test(future, &ready));
        CHECK(ready == ABT_FALSE);
    }
    OK(ABT_future_free(&future));
    OK(ABT_eventual_free(&called));
}

/* Suspended by itself, and resumed by another stream. */
static ABT_thread sleeper;
static void sleeps(void* argument)
{
    (void)argument;
    for (int i = 0; i < rounds; ++i) {
        OK(ABT_self_suspend());
    }
}
static void wakes(void* argument)
{
    (void)argument;
    for (int i = 0; i < rounds;) {
        ABT_thread_state state;
        OK(ABT_thread_get_state(sleeper, &state));
        if (state == ABT_THREAD_STATE_BLOCKED) {
            OK(ABT_thread_resume(sleeper));
            ++i;
        } else {
            OK(ABT_self_yield());
        }
    }
}
static void suspensions(void)
{
    ABT_thread waker;
    OK(ABT_thread_create(pool[0], sleeps, NULL, ABT_THREAD_ATTR_NULL, &sleeper));
    OK(ABT_thread_create(pool[streams - 1], wakes, NULL, ABT_THREAD_ATTR_NULL, &waker));
    OK(ABT_thread_free(&waker));
    OK(ABT_thread_free(&sleeper));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    barriers();
    values();
    resets();
    suspensions();
    end();
    return 0;
}
