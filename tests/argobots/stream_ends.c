/* Streams that end while units of their pool wait or are about to run, and while others wait for
   their end. */
#include "check.h"

#include <stdatomic.h>
#include <unistd.h>

static atomic_int stage;
static atomic_int ran;
static atomic_int holder_rank;
static ABT_pool shared;

static void await_stage(int wanted)
{
    while (stage < wanted) {
        usleep(100);
    }
}

/* Two streams of one pool. One is to end, but a unit of the pool waits for another one; when that
   goes on, directly and on the other stream, both can end. */
static void joined(void* argument)
{
    (void)argument;
    stage = 2;
    await_stage(3);
    usleep(50000); /* most likely the stream that is to end has fallen asleep again */
    ++ran;
}
static void joins(void* argument)
{
    ABT_thread t;
    (void)argument;
    OK(ABT_thread_create(shared, joined, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_free(&t));
    ++ran;
}
static void holds_its_stream(void* argument)
{
    int rank;
    (void)argument;
    OK(ABT_self_get_xstream_rank(&rank));
    holder_rank = rank;
    stage = 1;
    await_stage(2);
}

static void ends_with_a_waiting_unit(void)
{
    ABT_xstream two[2];
    ABT_thread holder, joiner;
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &shared));
    for (int i = 0; i < 2; ++i) {
        OK(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, &shared, ABT_SCHED_CONFIG_NULL, &two[i]));
    }
    stage = ran = 0;
    OK(ABT_thread_create(shared, holds_its_stream, NULL, ABT_THREAD_ATTR_NULL, &holder));
    await_stage(1);
    OK(ABT_thread_create(shared, joins, NULL, ABT_THREAD_ATTR_NULL, &joiner));
    await_stage(2);
    int rank;
    OK(ABT_xstream_get_rank(two[0], &rank));
    const int first = rank == holder_rank ? 0 : 1;
    OK(ABT_thread_free(&holder));
    stage = 3;
    OK(ABT_xstream_free(&two[first]));
    OK(ABT_xstream_free(&two[1 - first]));
    OK(ABT_thread_free(&joiner));
    CHECK(ran == 2);
    OK(ABT_pool_free(&shared));
}

/* What a stream has taken out of its pool for its scheduler is not left behind when it ends. */
static void counts(void* argument)
{
    (void)argument;
    ++ran;
}
static void last_tasklets(void)
{
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &shared));
    for (int before = 1; before < 120; ++before) {
        ABT_xstream x;
        ran = 0;
        for (int i = 0; i < before; ++i) {
            OK(ABT_thread_create(shared, counts, NULL, ABT_THREAD_ATTR_NULL, NULL));
        }
        OK(ABT_task_create(shared, counts, NULL, NULL));
        OK(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, &shared, ABT_SCHED_CONFIG_NULL, &x));
        OK(ABT_xstream_free(&x));
        CHECK(ran == before + 1);
    }
    OK(ABT_pool_free(&shared));
}

/* Several wait for the end of one stream, and none goes on before. */
static ABT_xstream ending;
static void ends_late(void* argument)
{
    (void)argument;
    await_stage(2);
    for (int i = 0; i < 20; ++i) {
        usleep(500);
        OK(ABT_self_yield());
    }
    stage = 3;
}
static void awaits_end(void* argument)
{
    (void)argument;
    ++ran;
    OK(ABT_xstream_join(ending));
    CHECK(stage == 3);
}
static void joined_by_several(void)
{
    ABT_pool p;
    ABT_thread t[3];
    stage = ran = 0;
    OK(ABT_xstream_create(ABT_SCHED_NULL, &ending));
    OK(ABT_xstream_get_main_pools(ending, 1, &p));
    OK(ABT_thread_create(p, ends_late, NULL, ABT_THREAD_ATTR_NULL, NULL));
    for (int i = 0; i < 3; ++i) {
        OK(ABT_thread_create(pool[i % streams], awaits_end, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    while (ran != 3) {
        OK(ABT_self_yield());
    }
    stage = 2;
    for (int i = 0; i < 3; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    OK(ABT_xstream_free(&ending));
}

/* A stream ends only after a unit of its pool that waits for the end of another stream. */
static void slow(void* argument)
{
    (void)argument;
    await_stage(2);
    usleep(20000); /* most likely the first stream is being freed */
}
static void joins_a_stream(void* argument)
{
    ABT_xstream other;
    (void)argument;
    OK(ABT_xstream_create(ABT_SCHED_NULL, &other));
    OK(ABT_thread_create_on_xstream(other, slow, NULL, ABT_THREAD_ATTR_NULL, NULL));
    stage = 1;
    OK(ABT_xstream_free(&other));
    ++ran;
}
static void waits_for_a_stream(void)
{
    ABT_xstream x;
    stage = ran = 0;
    OK(ABT_xstream_create(ABT_SCHED_NULL, &x));
    OK(ABT_thread_create_on_xstream(x, joins_a_stream, NULL, ABT_THREAD_ATTR_NULL, NULL));
    await_stage(1);
    usleep(1000);
    stage = 2;
    OK(ABT_xstream_free(&x));
    CHECK(ran == 1);
}

/* A stream that is cancelled does not wait for its stacked scheduler, whose unit never ends. */
static void yields_for_ever(void* argument)
{
    (void)argument;
    stage = 1;
    for (;;) {
        OK(ABT_self_yield());
    }
}
static void cancelled_with_stacked_scheduler(void)
{
    ABT_xstream x;
    ABT_pool p, main_pool;
    ABT_sched s;
    stage = 0;
    OK(ABT_xstream_create(ABT_SCHED_NULL, &x));
    OK(ABT_xstream_get_main_pools(x, 1, &main_pool));
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &p));
    static ABT_thread left; /* it cannot be freed */
    OK(ABT_thread_create(p, yields_for_ever, NULL, ABT_THREAD_ATTR_NULL, &left));
    OK(ABT_sched_create_basic(ABT_SCHED_BASIC, 1, &p, ABT_SCHED_CONFIG_NULL, &s));
    OK(ABT_pool_add_sched(main_pool, s));
    await_stage(1);
    OK(ABT_xstream_cancel(x));
    OK(ABT_xstream_free(&x));
}

/* A main scheduler may end its stream, which leaves its units behind. */
static void exits(ABT_sched s)
{
    ABT_pool p;
    ABT_thread t;
    OK(ABT_sched_get_pools(s, 1, 0, &p));
    OK(ABT_pool_pop_thread(p, &t));
    if (t != ABT_THREAD_NULL) {
        OK(ABT_self_schedule(t, ABT_POOL_NULL));
    }
    OK(ABT_xstream_exit());
    ran = -1; /* the call does not return */
}
static void ended_by_its_scheduler(void)
{
    ABT_sched_def def = {ABT_SCHED_TYPE_ULT, NULL, exits, NULL, NULL};
    ABT_sched s;
    ABT_xstream x;
    ABT_xstream_state state;
    ran = 0;
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &shared));
    OK(ABT_sched_create(&def, 1, &shared, ABT_SCHED_CONFIG_NULL, &s));
    for (int i = 0; i < 3; ++i) {
        OK(ABT_thread_create(shared, counts, NULL, ABT_THREAD_ATTR_NULL, NULL));
    }
    OK(ABT_xstream_create(s, &x));
    for (int i = 1; i <= 3; ++i) {
        OK(ABT_xstream_join(x));
        OK(ABT_xstream_get_state(x, &state));
        CHECK(state == ABT_XSTREAM_STATE_TERMINATED && ran == i);
        OK(ABT_xstream_revive(x));
    }
    OK(ABT_xstream_free(&x));
    CHECK(ran == 3);
    OK(ABT_sched_free(&s));
    OK(ABT_pool_free(&shared));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    ends_with_a_waiting_unit();
    last_tasklets();
    joined_by_several();
    waits_for_a_stream();
    cancelled_with_stacked_scheduler();
    ended_by_its_scheduler();
    end();
    return 0;
}
