/* Ends that meet something that is under way: a wait with a time limit that is cancelled, streams
   that stop while units of their pool wait, memory that is used again as soon as a wait has ended.
 */
#include "check.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int stage;
static atomic_int ran;
static atomic_int holder_rank;
static ABT_mutex mutex;
static ABT_cond cond;
static ABT_pool shared;

static void await_stage(int wanted)
{
    while (stage < wanted) {
        usleep(100);
    }
}

static struct timespec in_milliseconds(long n)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += n * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* A unit that is cancelled while it waits gets to the end of its wait, and has the mutex again; the
   next yield ends it. What its time limit was to do is not done to others' memory. */
static void waits_with_limit(void* argument)
{
    const struct timespec until = in_milliseconds(100);
    (void)argument;
    OK(ABT_mutex_lock(mutex));
    stage = 1;
    const int how = ABT_cond_timedwait(cond, mutex, &until);
    CHECK(how == ABT_SUCCESS || how == ABT_ERR_COND_TIMEDOUT);
    ++ran;
    OK(ABT_mutex_unlock(mutex));
    for (;;) {
        OK(ABT_self_yield());
    }
}

static void covers_its_stack(void* argument)
{
    volatile char frame[4096];
    memset((char*)frame, 0xff, sizeof frame);
    (void)argument;
    OK(ABT_self_yield());
    CHECK(frame[100] == (char)0xff);
}

static void cancelled_waits(void)
{
    enum { all = 20 };
    ABT_thread t[all], others[all];
    OK(ABT_mutex_create(&mutex));
    OK(ABT_cond_create(&cond));
    ran = 0;
    for (int i = 0; i < all; ++i) {
        stage = 0;
        OK(ABT_thread_create(pool[1], waits_with_limit, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
        await_stage(1);
        OK(ABT_mutex_lock(mutex)); /* it waits now */
        OK(ABT_thread_cancel(t[i]));
        OK(ABT_mutex_unlock(mutex));
        OK(ABT_cond_signal(cond));
    }
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_free(&t[i]));
        OK(ABT_thread_create(pool[1], covers_its_stack, NULL, ABT_THREAD_ATTR_NULL, &others[i]));
    }
    CHECK(ran == all);
    usleep(150000);
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_free(&others[i]));
    }
    OK(ABT_cond_free(&cond));
    OK(ABT_mutex_free(&mutex));
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

/* An eventual on the stack is used for something else as soon as it is known to be set. */
static _Atomic(ABT_eventual_memory*) posted;
static void sets_eventuals(void* argument)
{
    const int all = *(int*)argument;
    for (int i = 0; i < all; ++i) {
        ABT_eventual_memory* e;
        while ((e = atomic_exchange(&posted, NULL)) == NULL) {
            OK(ABT_self_yield());
        }
        OK(ABT_eventual_set(ABT_EVENTUAL_MEMORY_GET_HANDLE(e), NULL, 0));
    }
}
static void eventuals_on_the_stack(void)
{
    int all = 2000;
    ABT_thread setter;
    OK(ABT_thread_create(pool[1], sets_eventuals, &all, ABT_THREAD_ATTR_NULL, &setter));
    for (int i = 0; i < all; ++i) {
        ABT_eventual_memory e = ABT_EVENTUAL_INITIALIZER, filled;
        ABT_bool ready = ABT_FALSE;
        memset(&filled, 0xff, sizeof filled);
        posted = &e;
        if (i % 2 == 0) {
            OK(ABT_eventual_wait(ABT_EVENTUAL_MEMORY_GET_HANDLE(&e), NULL));
        } else {
            while (ready == ABT_FALSE) {
                OK(ABT_eventual_test(ABT_EVENTUAL_MEMORY_GET_HANDLE(&e), NULL, &ready));
            }
        }
        memset(&e, 0xff, sizeof e);
        for (volatile int n = 0; n < 50; ++n) {
        }
        CHECK(memcmp(&e, &filled, sizeof e) == 0);
    }
    OK(ABT_thread_free(&setter));
}

/* The memory of a condition may be used again when its waiter has been signalled, also if the
   waiter's time passes before it goes on: here another unit keeps its stream until then. */
static ABT_cond_memory short_lived = ABT_COND_INITIALIZER;

static void is_signalled(void* argument)
{
    const struct timespec until = in_milliseconds(300);
    (void)argument;
    OK(ABT_mutex_lock(mutex));
    stage = 1;
    const int how = ABT_cond_timedwait(ABT_COND_MEMORY_GET_HANDLE(&short_lived), mutex, &until);
    OK(ABT_mutex_unlock(mutex));
    CHECK(how == ABT_SUCCESS || how == ABT_ERR_COND_TIMEDOUT); /* the machine may be slow */
}
static void keeps_the_stream(void* argument)
{
    (void)argument;
    stage = 2;
    await_stage(3);
}
static void conditions_of_signalled_waiters(void)
{
    ABT_thread signalled, keeper;
    ABT_cond_memory filled;
    OK(ABT_mutex_create(&mutex));
    stage = 0;
    OK(ABT_thread_create(pool[1], is_signalled, NULL, ABT_THREAD_ATTR_NULL, &signalled));
    await_stage(1);
    OK(ABT_thread_create(pool[1], keeps_the_stream, NULL, ABT_THREAD_ATTR_NULL, &keeper));
    await_stage(2);
    OK(ABT_mutex_lock(mutex));
    OK(ABT_cond_signal(ABT_COND_MEMORY_GET_HANDLE(&short_lived)));
    OK(ABT_mutex_unlock(mutex));
    memset(&short_lived, 0xff, sizeof short_lived);
    memset(&filled, 0xff, sizeof filled);
    usleep(500000); /* longer than its limit */
    CHECK(memcmp(&short_lived, &filled, sizeof filled) == 0);
    stage = 3;
    OK(ABT_thread_free(&keeper));
    OK(ABT_thread_free(&signalled));
    /* Time limits are still kept. */
    const struct timespec until = in_milliseconds(1);
    ABT_cond_memory another = ABT_COND_INITIALIZER;
    OK(ABT_mutex_lock(mutex));
    CHECK(ABT_cond_timedwait(ABT_COND_MEMORY_GET_HANDLE(&another), mutex, &until) ==
          ABT_ERR_COND_TIMEDOUT);
    OK(ABT_mutex_unlock(mutex));
    OK(ABT_mutex_free(&mutex));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    conditions_of_signalled_waiters();
    cancelled_waits();
    ends_with_a_waiting_unit();
    last_tasklets();
    joined_by_several();
    eventuals_on_the_stack();
    end();
    return 0;
}
