/* The schedulers of streams: user-defined ones, stacked ones, and their replacement. */
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

static void user_defined(void)
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

/* A scheduler that is a unit in a pool runs what there is, and ends; its unit is freed with it. */
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

/* The previous scheduler has ended when the call returns, however busy its pool is. */
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
    /* A user-defined scheduler has as many pools as it is given. */
    ABT_sched_def def = {ABT_SCHED_TYPE_ULT, NULL, scheduler_runs, NULL, NULL};
    int pools = -1;
    OK(ABT_sched_create(&def, 0, NULL, ABT_SCHED_CONFIG_NULL, &s));
    OK(ABT_sched_get_num_pools(s, &pools));
    CHECK(pools == 0);
    OK(ABT_sched_free(&s));
}

/* Units that are left in pools that the new scheduler does not have run before it. */
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

/* Automatic pools of the user stay when a scheduler cannot be made or used with them. */
static int pools_freed;
static int refuses(ABT_sched s, ABT_sched_config config)
{
    (void)s, (void)config;
    return ABT_ERR_OTHER;
}
static ABT_unit makes_none(ABT_pool p, ABT_thread t)
{
    (void)p, (void)t;
    return ABT_UNIT_NULL;
}
static void frees_none(ABT_pool p, ABT_unit u)
{
    (void)p, (void)u;
}
static ABT_bool is_empty(ABT_pool p)
{
    (void)p;
    return ABT_TRUE;
}
static ABT_thread pops_none(ABT_pool p, ABT_pool_context why)
{
    (void)p, (void)why;
    return ABT_THREAD_NULL;
}
static void takes_none(ABT_pool p, ABT_unit u, ABT_pool_context why)
{
    (void)p, (void)u, (void)why;
}
static void pool_freed(ABT_pool p)
{
    (void)p;
    ++pools_freed;
}
static void schedulers_that_fail(void)
{
    ABT_sched_def refused = {ABT_SCHED_TYPE_ULT, refuses, scheduler_runs, scheduler_freed, NULL};
    ABT_pool_user_def def;
    ABT_pool_config config;
    ABT_pool p;
    ABT_sched s;
    const int yes = 1;
    const int freed_before = freed;
    OK(ABT_pool_user_def_create(makes_none, frees_none, is_empty, pops_none, takes_none, &def));
    OK(ABT_pool_user_def_set_free(def, pool_freed));
    OK(ABT_pool_config_create(&config));
    OK(ABT_pool_config_set(config, ABT_pool_config_automatic.key, ABT_pool_config_automatic.type,
                           &yes));
    OK(ABT_pool_create(def, config, &p));
    CHECK(ABT_sched_create(&refused, 1, &p, ABT_SCHED_CONFIG_NULL, &s) == ABT_ERR_OTHER);
    CHECK(s == ABT_SCHED_NULL && pools_freed == 0 && freed == freed_before);
    CHECK(ABT_xstream_set_main_sched_basic(stream[0], ABT_SCHED_BASIC, 1, &p) != ABT_SUCCESS);
    CHECK(pools_freed == 0);
    OK(ABT_pool_free(&p));
    CHECK(pools_freed == 1);
    OK(ABT_pool_config_free(&config));
    OK(ABT_pool_user_def_free(&def));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    user_defined();
    stacked();
    units_left_to_the_old();
    new_schedulers();
    replaced_schedulers();
    schedulers_that_fail();
    end();
    return 0;
}
