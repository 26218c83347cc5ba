/* Execution streams and their schedulers: ranks, states, ends, schedulers of the user's. */
#include "check.h"

#include <stdatomic.h>

static atomic_int ran;
static atomic_int calls;
static atomic_int freed;

static void count(void* argument)
{
    (void)argument;
    ++ran;
}

static void about_streams(void)
{
    ABT_bool flag;
    int number, rank;
    ABT_xstream_state state;
    OK(ABT_xstream_get_num(&number));
    CHECK(number == streams);
    OK(ABT_xstream_is_primary(stream[0], &flag));
    CHECK(flag == ABT_TRUE);
    OK(ABT_xstream_is_primary(stream[1], &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_xstream_equal(stream[0], stream[1], &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_xstream_get_state(stream[1], &state));
    CHECK(state == ABT_XSTREAM_STATE_RUNNING);
    OK(ABT_xstream_get_rank(stream[1], &rank));
    CHECK(rank == 1);
    CHECK(ABT_xstream_set_rank(stream[1], 0) == ABT_ERR_INV_XSTREAM_RANK);
    CHECK(ABT_xstream_set_rank(stream[0], 100) == ABT_ERR_INV_XSTREAM);
    OK(ABT_xstream_set_rank(stream[1], 100));
    OK(ABT_xstream_get_rank(stream[1], &rank));
    CHECK(rank == 100);
    OK(ABT_xstream_set_rank(stream[1], 1));
    ABT_xstream other;
    CHECK(ABT_xstream_create_with_rank(ABT_SCHED_NULL, 1, &other) == ABT_ERR_INV_XSTREAM_RANK);
    CHECK(other == ABT_XSTREAM_NULL);
    OK(ABT_xstream_create_with_rank(ABT_SCHED_NULL, 50, &other));
    OK(ABT_xstream_free(&other));
}

static void ends_its_stream(void* argument)
{
    (void)argument;
    ++ran;
    ABT_xstream_exit();
    abort(); /* it does not return */
}

/* A stream that is told to end does so, whatever lies in its pool; and can be revived. */
static void ends_of_streams(void)
{
    ABT_xstream x;
    ABT_pool p;
    ABT_xstream_state state;
    size_t size;
    ran = 0;
    OK(ABT_xstream_create(ABT_SCHED_NULL, &x));
    OK(ABT_xstream_get_main_pools(x, 1, &p));
    OK(ABT_thread_create(p, ends_its_stream, NULL, ABT_THREAD_ATTR_NULL, NULL));
    OK(ABT_xstream_join(x));
    OK(ABT_xstream_get_state(x, &state));
    CHECK(state == ABT_XSTREAM_STATE_TERMINATED && ran == 1);
    OK(ABT_xstream_revive(x));
    OK(ABT_thread_create(p, count, NULL, ABT_THREAD_ATTR_NULL, NULL));
    OK(ABT_xstream_join(x));
    CHECK(ran == 2);
    OK(ABT_xstream_revive(x));
    OK(ABT_xstream_cancel(x));
    OK(ABT_xstream_join(x));
    OK(ABT_pool_get_size(p, &size));
    OK(ABT_xstream_free(&x));
    CHECK(ABT_xstream_cancel(stream[0]) == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_xstream_join(stream[0]) == ABT_ERR_INV_XSTREAM);
}

static int scheduler_made(ABT_sched s, ABT_sched_config config)
{
    int value = 0;
    OK(ABT_sched_config_read(config, 1, &value));
    CHECK(value == 7);
    OK(ABT_sched_set_data(s, &calls));
    return ABT_SUCCESS;
}

static void scheduler_runs(ABT_sched s)
{
    ABT_pool p;
    void* data;
    OK(ABT_sched_get_pools(s, 1, 0, &p));
    OK(ABT_sched_get_data(s, &data));
    for (;;) {
        ABT_thread t;
        ABT_bool stop;
        OK(ABT_pool_pop_thread(p, &t));
        if (t != ABT_THREAD_NULL) {
            ++*(atomic_int*)data;
            OK(ABT_self_schedule(t, ABT_POOL_NULL));
        }
        OK(ABT_xstream_check_events(s));
        OK(ABT_sched_has_to_stop(s, &stop));
        if (stop == ABT_TRUE) {
            break;
        }
    }
}

static int scheduler_freed(ABT_sched s)
{
    (void)s;
    ++freed;
    return ABT_SUCCESS;
}

static ABT_sched make_scheduler(void)
{
    ABT_sched_def def = {ABT_SCHED_TYPE_ULT, scheduler_made, scheduler_runs, scheduler_freed, NULL};
    const ABT_sched_config_var seven = {0, ABT_SCHED_CONFIG_INT};
    ABT_sched_config config;
    ABT_sched s;
    ABT_pool p;
    OK(ABT_sched_config_create(&config, seven, 7, ABT_sched_config_var_end));
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &p));
    OK(ABT_sched_create(&def, 1, &p, config, &s));
    OK(ABT_sched_config_free(&config));
    return s;
}

static void yields(void* argument)
{
    for (int i = 0; i < 50; ++i) {
        OK(ABT_thread_yield());
    }
    count(argument);
}

static void schedulers_of_the_user(void)
{
    ABT_sched s = make_scheduler();
    ABT_xstream x;
    ABT_pool p;
    size_t size;
    ran = calls = 0;
    OK(ABT_sched_get_pools(s, 1, 0, &p));
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, NULL));
    }
    OK(ABT_sched_get_size(s, &size));
    CHECK(size == 20);
    OK(ABT_xstream_create(s, &x));
    CHECK(ABT_sched_free(&s) == ABT_ERR_SCHED);
    ABT_xstream second;
    CHECK(ABT_xstream_create(s, &second) == ABT_ERR_INV_SCHED);
    OK(ABT_xstream_free(&x));
    CHECK(ran == 20 && calls == 20 * 51);
    OK(ABT_sched_free(&s));
    CHECK(freed == 1);
}

/* As a unit in a pool it runs what there is, and ends; its unit is freed with it. */
static void stacked(void)
{
    ABT_sched own = make_scheduler(), ours;
    ABT_pool p, q;
    ran = calls = 0;
    OK(ABT_sched_get_pools(own, 1, 0, &p));
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &q));
    OK(ABT_sched_create_basic(ABT_SCHED_BASIC, 1, &q, ABT_SCHED_CONFIG_NULL, &ours));
    for (int i = 0; i < 10; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, NULL));
        OK(ABT_task_create(q, count, NULL, NULL));
    }
    OK(ABT_pool_add_sched(pool[streams - 1], own));
    OK(ABT_pool_add_sched(pool[0], ours));
    while (ran != 20) {
        OK(ABT_self_yield());
    }
    while (ABT_sched_free(&own) != ABT_SUCCESS) {
        OK(ABT_self_yield()); /* its unit has not ended yet */
    }
    CHECK(calls == 10 * 51);
}

static void changes_scheduler(void* argument)
{
    (void)argument;
    ABT_xstream x;
    OK(ABT_self_get_xstream(&x));
    OK(ABT_xstream_set_main_sched_basic(x, ABT_SCHED_PRIO, 0, NULL));
    ABT_pool p, mine;
    OK(ABT_xstream_get_main_pools(x, 1, &p));
    OK(ABT_self_get_last_pool(&mine));
    CHECK(p == mine);
    ++ran;
}

/* The one before has ended when the call returns, however busy its pool is. */
static void replaces_scheduler(void* argument)
{
    ABT_xstream x;
    ABT_sched before, after;
    ABT_pool p;
    OK(ABT_self_get_xstream(&x));
    OK(ABT_xstream_get_main_sched(x, &before));
    OK(ABT_self_get_last_pool(&p));
    CHECK(ABT_sched_free(&before) == ABT_ERR_SCHED);
    OK(ABT_xstream_set_main_sched_basic(x, ABT_SCHED_BASIC, 1, &p));
    OK(ABT_xstream_get_main_sched(x, &after));
    CHECK(after != before);
    const int freed_before = freed;
    OK(ABT_sched_free(&before));
    CHECK(freed == freed_before + 1);
    count(argument);
}

static void replaced_schedulers(void)
{
    ABT_sched s = make_scheduler();
    ABT_xstream x;
    ABT_pool p;
    ran = 0;
    OK(ABT_sched_get_pools(s, 1, 0, &p));
    OK(ABT_thread_create(p, replaces_scheduler, NULL, ABT_THREAD_ATTR_NULL, NULL));
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, NULL));
    }
    OK(ABT_xstream_create(s, &x));
    OK(ABT_xstream_free(&x));
    CHECK(ran == 21);
    /* A scheduler of the user's has as many pools as it is given. */
    ABT_sched_def def = {ABT_SCHED_TYPE_ULT, NULL, scheduler_runs, NULL, NULL};
    int pools = -1;
    OK(ABT_sched_create(&def, 0, NULL, ABT_SCHED_CONFIG_NULL, &s));
    OK(ABT_sched_get_num_pools(s, &pools));
    CHECK(pools == 0);
    OK(ABT_sched_free(&s));
}

/* What is left in pools that the new one has not is run before. */
static void leaves_units(void* seen)
{
    ABT_xstream x;
    OK(ABT_self_get_xstream(&x));
    OK(ABT_xstream_set_main_sched_basic(x, ABT_SCHED_DEFAULT, 0, NULL));
    *(int*)seen = ran;
}
static void units_left_to_the_old(void)
{
    ABT_xstream x;
    ABT_pool p;
    ABT_thread t[10], setter;
    int seen = 0;
    ran = 0;
    OK(ABT_xstream_create(ABT_SCHED_NULL, &x));
    OK(ABT_xstream_get_main_pools(x, 1, &p));
    OK(ABT_xstream_join(x));
    OK(ABT_thread_create(p, leaves_units, &seen, ABT_THREAD_ATTR_NULL, &setter));
    for (int i = 0; i < 10; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    OK(ABT_xstream_revive(x));
    OK(ABT_thread_free(&setter));
    for (int i = 0; i < 10; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    CHECK(seen == 10 && ran == 10);
    OK(ABT_xstream_free(&x));
    ran = seen = 0;
    for (int i = 0; i < 10; ++i) {
        OK(ABT_thread_create(pool[0], yields, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    leaves_units(&seen);
    CHECK(seen == 10);
    for (int i = 0; i < 10; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    OK(ABT_xstream_get_main_pools(stream[0], 1, &pool[0]));
}

static void new_schedulers(void)
{
    ABT_xstream x;
    ABT_pool p;
    ran = 0;
    OK(ABT_xstream_create(ABT_SCHED_NULL, &x));
    OK(ABT_xstream_get_main_pools(x, 1, &p));
    ABT_thread t;
    OK(ABT_thread_create(p, changes_scheduler, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_free(&t));
    OK(ABT_xstream_free(&x));
    CHECK(ran == 1);
    CHECK(ABT_xstream_set_main_sched(stream[1], ABT_SCHED_NULL) == ABT_ERR_XSTREAM_STATE);
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    about_streams();
    ends_of_streams();
    schedulers_of_the_user();
    stacked();
    units_left_to_the_old();
    new_schedulers();
    replaced_schedulers();
    end();
    /* Once more from the beginning; nested initialization counts. */
    begin(argc, argv);
    OK(ABT_init(argc, argv));
    OK(ABT_finalize());
    OK(ABT_initialized());
    end();
    CHECK(ABT_initialized() == ABT_ERR_UNINITIALIZED);
    return 0;
}
