/* Pools of each kind, and what is done with them by hand. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ran;

static void count(void* argument)
{
    (void)argument;
    ++ran;
}

static void add_one(void* argument, ABT_unit unit)
{
    ABT_thread t;
    OK(ABT_unit_get_thread(unit, &t));
    ++*(int*)argument;
}

static void add_one_thread(void* argument, ABT_thread t)
{
    CHECK(t != ABT_THREAD_NULL);
    ++*(int*)argument;
}

/* A pool that no stream has keeps what it is given until somebody pops it. */
static void by_hand(void)
{
    for (int kind = ABT_POOL_FIFO; kind <= ABT_POOL_RANDWS; ++kind) {
        ABT_pool p;
        ABT_pool_access access;
        ABT_thread t[3], popped, many[5];
        ABT_unit unit;
        ABT_bool empty;
        size_t size;
        int seen = 0;
        ran = 0;
        OK(ABT_pool_create_basic((ABT_pool_kind)kind, ABT_POOL_ACCESS_SPSC, ABT_FALSE, &p));
        OK(ABT_pool_get_access(p, &access));
        CHECK(access == ABT_POOL_ACCESS_SPSC);
        for (int i = 0; i < 3; ++i) {
            OK(ABT_thread_create(p, count, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
        }
        OK(ABT_pool_print_all(p, &seen, add_one));
        OK(ABT_pool_print_all_threads(p, &seen, add_one_thread));
        CHECK(seen == 6);
        OK(ABT_info_print_thread_stacks_in_pool(stdout, p));
        OK(ABT_thread_get_unit(t[1], &unit));
        OK(ABT_pool_remove(p, unit)); /* out of the middle */
        OK(ABT_pool_get_size(p, &size));
        CHECK(size == 2);
        OK(ABT_unit_set_associated_pool(unit, pool[0]));
        OK(ABT_pool_push(pool[0], unit));
        OK(ABT_thread_join(t[1]));
        OK(ABT_pool_pop_thread(p, &popped));
        /* New ones go to the front of a pool for stealing. */
        CHECK(popped == t[kind == ABT_POOL_RANDWS ? 2 : 0]);
        OK(ABT_pool_push_thread(p, popped));
        OK(ABT_pool_pop_threads(p, many, 5, &size));
        CHECK(size == 2);
        OK(ABT_pool_is_empty(p, &empty));
        CHECK(empty == ABT_TRUE);
        OK(ABT_pool_pop_wait(p, &unit, 0.01));
        CHECK(unit == ABT_UNIT_NULL);
        OK(ABT_pool_pop_timedwait(p, &unit, ABT_get_wtime() + 0.01));
        CHECK(unit == ABT_UNIT_NULL);
        OK(ABT_pool_push_threads(pool[streams - 1], many, 2));
        for (int i = 0; i < 3; ++i) {
            OK(ABT_thread_free(&t[i]));
        }
        CHECK(ran == 3);
        OK(ABT_pool_free(&p));
    }
}

static void* pushes_later(void* argument)
{
    usleep(20000);
    OK(ABT_thread_create((ABT_pool)argument, count, NULL, ABT_THREAD_ATTR_NULL, NULL));
    return NULL;
}

/* A pop that waits is woken by a push of an external thread, long before its time is over. */
static void waiting_pop(void)
{
    ABT_pool p;
    pthread_t pusher;
    ABT_thread t;
    ran = 0;
    OK(ABT_pool_create_basic(ABT_POOL_FIFO_WAIT, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &p));
    CHECK(pthread_create(&pusher, NULL, pushes_later, p) == 0);
    OK(ABT_pool_pop_wait_thread(p, &t, 60));
    CHECK(t != ABT_THREAD_NULL);
    OK(ABT_self_schedule(t, ABT_POOL_NULL));
    CHECK(ran == 1 && pthread_join(pusher, NULL) == 0);
    OK(ABT_pool_free(&p));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    by_hand();
    waiting_pop();
    end();
    return 0;
}
