/* What schedulers promise to programs: when they stop, that they are called again, and the order in
 * which they look at their pools. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static atomic_int ran;
static atomic_int returns;
static char order[32];
static ABT_eventual awaited;

static void count(void* argument)
{
    (void)argument;
    ++ran;
}

static void yields(void* argument)
{
    for (int i = 0; i < 10; ++i) {
        OK(ABT_self_yield());
    }
    count(argument);
}

static void waits(void* argument)
{
    ++*(atomic_int*)argument;
    OK(ABT_eventual_wait(awaited, NULL));
    count(NULL);
}

/* A stream may end while a unit of its pool is blocked if others have that pool, too. */
static void ends_beside_blocked_units(void)
{
    ABT_pool shared;
    ABT_xstream x[2];
    ABT_thread t;
    atomic_int begun = 0;
    ran = 0;
    OK(ABT_eventual_create(0, &awaited));
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &shared));
    for (int i = 0; i < 2; ++i) {
        OK(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, &shared, ABT_SCHED_CONFIG_NULL, &x[i]));
    }
    OK(ABT_thread_create(shared, waits, &begun, ABT_THREAD_ATTR_NULL, &t));
    while (begun == 0) {
        OK(ABT_self_yield());
    }
    OK(ABT_xstream_join(x[0]));
    OK(ABT_xstream_free(&x[0]));
    OK(ABT_eventual_set(awaited, NULL, 0));
    OK(ABT_thread_free(&t));
    CHECK(ran == 1);
    OK(ABT_xstream_free(&x[1]));
    OK(ABT_pool_free(&shared));
    OK(ABT_eventual_free(&awaited));
}

/* A scheduler of the user's that runs one unit, or none, and returns. */
static void runs_one(ABT_sched s)
{
    ABT_pool p;
    ABT_thread t;
    ++returns;
    OK(ABT_sched_get_pools(s, 1, 0, &p));
    OK(ABT_pool_pop_thread(p, &t));
    if (t != ABT_THREAD_NULL) {
        OK(ABT_self_schedule(t, ABT_POOL_NULL));
    }
    OK(ABT_xstream_check_events(s));
}

static ABT_sched one_by_one(void)
{
    ABT_sched_def def = {ABT_SCHED_TYPE_ULT, NULL, runs_one, NULL, NULL};
    ABT_pool p;
    ABT_sched s;
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &p));
    OK(ABT_sched_create(&def, 1, &p, ABT_SCHED_CONFIG_NULL, &s));
    return s;
}

/* It is called again until the stream is to end and has nothing to do. */
static void is_called_again(void)
{
    ABT_sched s = one_by_one();
    ABT_pool p;
    ABT_xstream x;
    ABT_thread t;
    ran = returns = 0;
    OK(ABT_sched_get_pools(s, 1, 0, &p));
    OK(ABT_xstream_create(s, &x));
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_thread_free(&t));
    }
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, NULL));
    }
    OK(ABT_xstream_free(&x));
    CHECK(ran == 40 && returns >= 40 * 11);
    OK(ABT_sched_free(&s));
}

static void is_called_again_on_the_primary_stream(void)
{
    ABT_sched s = one_by_one();
    ABT_thread t;
    ran = 0;
    OK(ABT_sched_get_pools(s, 1, 0, &pool[0]));
    OK(ABT_xstream_set_main_sched(stream[0], s));
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_create(pool[0], yields, NULL, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_thread_free(&t));
    }
    CHECK(ran == 20);
    OK(ABT_xstream_set_main_sched(stream[0], ABT_SCHED_NULL));
    OK(ABT_xstream_get_main_pools(stream[0], 1, &pool[0]));
    OK(ABT_sched_free(&s));
}

static void writes_down(void* argument)
{
    const size_t length = strlen(order);
    CHECK(length + 1 < sizeof order);
    order[length] = (char)('0' + (long)argument);
}

/* Runs units 0, 1, 2 ... of pools 0, 1, 2, 0, ... on a new stream with that scheduler. */
static void run_in_order(ABT_sched s, const ABT_pool* pools)
{
    ABT_xstream x;
    memset(order, 0, sizeof order);
    for (long i = 0; i < 9; ++i) {
        OK(ABT_thread_create(pools[i % 3], writes_down, (void*)i, ABT_THREAD_ATTR_NULL, NULL));
    }
    OK(ABT_xstream_create(s, &x));
    OK(ABT_xstream_free(&x));
}

static void order_of_pools(void)
{
    static const ABT_pool_access access[] = {ABT_POOL_ACCESS_MPMC, ABT_POOL_ACCESS_MPSC,
                                             ABT_POOL_ACCESS_SPSC};
    static const ABT_sched_predef sorting[] = {ABT_SCHED_BASIC, ABT_SCHED_BASIC_WAIT};
    ABT_pool pools[3];
    ABT_sched s;
    for (int i = 0; i < 2; ++i) {
        for (int p = 0; p < 3; ++p) {
            OK(ABT_pool_create_basic(ABT_POOL_FIFO, access[p], ABT_TRUE, &pools[p]));
        }
        OK(ABT_sched_create_basic(sorting[i], 3, pools, ABT_SCHED_CONFIG_NULL, &s));
        ABT_pool first;
        OK(ABT_sched_get_pools(s, 1, 0, &first));
        CHECK(first == pools[0]);
        run_in_order(s, pools);
        CHECK(strcmp(order, "147258036") == 0);
    }
    /* By the given order. */
    for (int p = 0; p < 3; ++p) {
        OK(ABT_pool_create_basic(ABT_POOL_FIFO, access[p], ABT_TRUE, &pools[p]));
    }
    OK(ABT_sched_create_basic(ABT_SCHED_PRIO, 3, pools, ABT_SCHED_CONFIG_NULL, &s));
    run_in_order(s, pools);
    CHECK(strcmp(order, "036147258") == 0);
    /* Pools that are made in the place of null are FIFOs, also of a scheduler that steals. */
    const ABT_pool none[3] = {ABT_POOL_NULL, ABT_POOL_NULL, ABT_POOL_NULL};
    memcpy(pools, none, sizeof none);
    OK(ABT_sched_create_basic(ABT_SCHED_RANDWS, 3, pools, ABT_SCHED_CONFIG_NULL, &s));
    OK(ABT_sched_get_pools(s, 3, 0, pools));
    run_in_order(s, pools);
    CHECK(strncmp(order, "036", 3) == 0 && strlen(order) == 9);
}

/* A queue of the user's that can wait. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    ABT_thread units[64];
    unsigned first, last;
    atomic_int waits;
};
static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0, 0};

static ABT_unit make_unit(ABT_pool p, ABT_thread t)
{
    (void)p;
    return (ABT_unit)t; /* a thread's handle may be its unit */
}
static void free_unit(ABT_pool p, ABT_unit u)
{
    (void)p;
    (void)u;
}
static ABT_bool is_empty(ABT_pool p)
{
    (void)p;
    pthread_mutex_lock(&queue.lock);
    const ABT_bool empty = queue.first == queue.last ? ABT_TRUE : ABT_FALSE;
    pthread_mutex_unlock(&queue.lock);
    return empty;
}
static ABT_thread take(void)
{
    return queue.first == queue.last ? ABT_THREAD_NULL : queue.units[queue.first++ % 64];
}
static ABT_thread pop(ABT_pool p, ABT_pool_context why)
{
    (void)p;
    (void)why;
    pthread_mutex_lock(&queue.lock);
    const ABT_thread t = take();
    pthread_mutex_unlock(&queue.lock);
    return t;
}
static void push(ABT_pool p, ABT_unit u, ABT_pool_context why)
{
    (void)p;
    (void)why;
    pthread_mutex_lock(&queue.lock);
    queue.units[queue.last++ % 64] = (ABT_thread)u;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
}
static ABT_thread pop_wait(ABT_pool p, double seconds, ABT_pool_context why)
{
    (void)p;
    (void)why;
    CHECK(seconds > 0 && seconds < 60);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    ++queue.waits;
    pthread_mutex_lock(&queue.lock);
    while (queue.first == queue.last &&
           pthread_cond_timedwait(&queue.filled, &queue.lock, &until) == 0) {
    }
    const ABT_thread t = take();
    pthread_mutex_unlock(&queue.lock);
    return t;
}

/* The scheduler that waits lets a pool of the user's wait, instead of asking it again and again. */
static void lets_pools_wait(void)
{
    ABT_pool_user_def def;
    ABT_pool p;
    ABT_xstream x;
    ABT_thread t;
    ran = 0;
    OK(ABT_pool_user_def_create(make_unit, free_unit, is_empty, pop, push, &def));
    OK(ABT_pool_user_def_set_pop_wait(def, pop_wait));
    OK(ABT_pool_create(def, ABT_POOL_CONFIG_NULL, &p));
    OK(ABT_pool_user_def_free(&def));
    OK(ABT_xstream_create_basic(ABT_SCHED_BASIC_WAIT, 1, &p, ABT_SCHED_CONFIG_NULL, &x));
    while (queue.waits == 0) {
        OK(ABT_self_yield());
    }
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_thread_free(&t));
    }
    CHECK(ran == 20);
    OK(ABT_xstream_free(&x));
    OK(ABT_pool_free(&p));
}

/* What the scheduler of the primary stream is asked for does not end that stream. */
static void requests_on_the_primary_stream(void)
{
    static int (*const requests[])(ABT_sched) = {ABT_sched_exit, ABT_sched_finish};
    ABT_sched s;
    ABT_thread t;
    ran = 0;
    OK(ABT_xstream_get_main_sched(stream[0], &s));
    for (int i = 0; i < 2; ++i) {
        OK(requests[i](s));
        for (int n = 0; n < 3; ++n) {
            OK(ABT_self_yield());
        }
        OK(ABT_thread_create(pool[0], yields, NULL, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_thread_free(&t));
        OK(ABT_thread_create(pool[1], yields, NULL, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_thread_free(&t));
    }
    CHECK(ran == 4);
    /* Also those that are left when the library ends. */
    OK(ABT_sched_exit(s));
    OK(ABT_thread_create(pool[0], yields, NULL, ABT_THREAD_ATTR_NULL, NULL));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    ends_beside_blocked_units();
    is_called_again();
    is_called_again_on_the_primary_stream();
    order_of_pools();
    lets_pools_wait();
    requests_on_the_primary_stream();
    end();
    CHECK(ran == 5);
    return 0;
}
