/* What is asked of units, streams and pools, and what is printed of them. */
#include "check.h"

#include <stdatomic.h>

static atomic_int ran;
static ABT_key key;

static void count(void* argument)
{
    (void)argument;
    ++ran;
}

static void about_units(void)
{
    ABT_thread me, t;
    ABT_task task;
    ABT_pool p;
    ABT_xstream x;
    ABT_unit_id id, self_id;
    ABT_bool flag;
    void (*f)(void*);
    OK(ABT_self_get_thread(&me));
    OK(ABT_thread_is_primary(me, &flag));
    CHECK(flag == ABT_TRUE);
    OK(ABT_thread_is_unnamed(me, &flag));
    CHECK(flag == ABT_TRUE);
    OK(ABT_thread_get_id(me, &id));
    OK(ABT_thread_self_id(&self_id));
    CHECK(id == self_id);
    CHECK(ABT_task_self_id(&self_id) == ABT_ERR_INV_TASK);
    OK(ABT_self_on_primary_xstream(&flag));
    CHECK(flag == ABT_TRUE);
    OK(ABT_thread_create_on_xstream(stream[streams - 1], count, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_task_create_on_xstream(stream[streams - 1], count, NULL, &task));
    OK(ABT_thread_join(t));
    OK(ABT_task_join(task));
    CHECK(ran == 2);
    OK(ABT_thread_get_last_pool(t, &p));
    CHECK(p == pool[streams - 1]);
    OK(ABT_thread_get_last_xstream(t, &x));
    CHECK(x == stream[streams - 1]);
    OK(ABT_task_get_xstream(task, &x));
    CHECK(x == stream[streams - 1]);
    ABT_task_state state;
    OK(ABT_task_get_state(task, &state));
    CHECK(state == ABT_TASK_STATE_TERMINATED);
    OK(ABT_task_get_state(me, &state)); /* of a ULT, too */
    CHECK(state == ABT_TASK_STATE_RUNNING);
    OK(ABT_thread_get_thread_func(t, &f));
    CHECK(f == count);
    OK(ABT_thread_is_primary(t, &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_thread_is_unnamed(t, &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_thread_equal(t, t, &flag));
    CHECK(flag == ABT_TRUE);
    OK(ABT_thread_equal(t, me, &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_thread_get_id(t, &id));
    OK(ABT_task_get_id(task, &self_id));
    CHECK(id != self_id);
    void* value;
    OK(ABT_key_create(NULL, &key));
    OK(ABT_thread_set_specific(t, key, &ran));
    OK(ABT_thread_get_specific(t, key, &value));
    CHECK(value == &ran);
    OK(ABT_self_get_specific(key, &value));
    CHECK(value == NULL);
    OK(ABT_key_set(key, &key));
    OK(ABT_key_get(key, &value));
    CHECK(value == &key);
    OK(ABT_key_set(key, NULL));
    OK(ABT_key_free(&key));
    OK(ABT_thread_free(&t));
    OK(ABT_task_free(&task));
}

static void many_units(void)
{
    enum { many = 10 };
    ABT_pool pools[many];
    ABT_thread t[many];
    void (*functions[many])(void*);
    ran = 0;
    for (int i = 0; i < many; ++i) {
        pools[i] = pool[i % streams];
        functions[i] = count;
    }
    OK(ABT_thread_create_many(many, pools, functions, NULL, ABT_THREAD_ATTR_NULL, t));
    OK(ABT_thread_join_many(many, t));
    CHECK(ran == many);
    OK(ABT_thread_free_many(many, t));
    for (int i = 0; i < many; ++i) {
        CHECK(t[i] == ABT_THREAD_NULL);
    }
}

static void about_places(void)
{
    void* data = NULL;
    size_t size;
    ABT_barrier b;
    uint32_t waiters;
    ABT_pool p;
    ABT_thread t;
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &p));
    OK(ABT_pool_get_data(p, &data));
    CHECK(data == NULL);
    OK(ABT_pool_set_data(p, &ran));
    OK(ABT_pool_get_data(p, &data));
    CHECK(data == &ran);
    OK(ABT_thread_create(p, count, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_pool_get_total_size(p, &size));
    CHECK(size == 1);
    ABT_unit unit, of;
    OK(ABT_thread_get_unit(t, &of));
    OK(ABT_pool_pop(p, &unit));
    CHECK(unit == of);
    ran = 0;
    OK(ABT_xstream_run_unit(unit, p));
    CHECK(ran == 1);
    OK(ABT_thread_free(&t));
    OK(ABT_pool_pop(p, &unit));
    CHECK(unit == ABT_UNIT_NULL);
    OK(ABT_pool_free(&p));
    OK(ABT_barrier_create(7, &b));
    OK(ABT_barrier_get_num_waiters(b, &waiters));
    CHECK(waiters == 7);
    OK(ABT_barrier_free(&b));
    int cpu;
    CHECK(ABT_xstream_set_cpubind(stream[0], 0) == ABT_ERR_FEATURE_NA);
    CHECK(ABT_xstream_get_cpubind(stream[0], &cpu) == ABT_ERR_FEATURE_NA);
    CHECK(ABT_xstream_set_affinity(stream[0], 0, NULL) == ABT_ERR_FEATURE_NA);
    CHECK(ABT_xstream_get_affinity(stream[0], 0, NULL, &cpu) == ABT_ERR_FEATURE_NA);
}

static void printed(ABT_bool late, void* done)
{
    (void)late;
    *(atomic_int*)done = 1;
}

/* Each function writes something. */
static void wrote(FILE* to, int error)
{
    static long before;
    CHECK(error == ABT_SUCCESS);
    fflush(to);
    CHECK(ftell(to) > before);
    before = ftell(to);
}
static void prints(void)
{
    FILE* const to = tmpfile();
    ABT_thread t;
    ABT_task task;
    ABT_sched s;
    ABT_thread_attr a;
    ABT_pool aside;
    atomic_int done = 0;
    CHECK(to != NULL);
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &aside));
    OK(ABT_thread_create(aside, count, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_task_create(aside, count, NULL, &task));
    OK(ABT_xstream_get_main_sched(stream[0], &s));
    OK(ABT_thread_attr_create(&a));
    wrote(to, ABT_info_print_config(to));
    wrote(to, ABT_info_print_all_xstreams(to));
    wrote(to, ABT_info_print_xstream(to, stream[0]));
    wrote(to, ABT_info_print_sched(to, s));
    wrote(to, ABT_info_print_pool(to, aside));
    wrote(to, ABT_info_print_thread(to, t));
    wrote(to, ABT_info_print_task(to, task));
    wrote(to, ABT_info_print_thread_attr(to, a));
    wrote(to, ABT_info_print_thread_stack(to, t));
    wrote(to, ABT_info_print_thread_stacks_in_pool(to, aside));
    for (int i = 0; i < 3; ++i) {
        done = 0;
        OK(ABT_info_trigger_print_all_thread_stacks(to, 0.5, printed, &done));
        while (done == 0) {
            OK(ABT_self_yield());
        }
    }
    CHECK(ABT_info_print_thread(to, ABT_THREAD_NULL) == ABT_ERR_INV_THREAD);
    CHECK(ABT_info_print_pool(to, ABT_POOL_NULL) == ABT_ERR_INV_POOL);
    OK(ABT_thread_attr_free(&a));
    for (int i = 0; i < 2; ++i) {
        ABT_thread next;
        OK(ABT_pool_pop_thread(aside, &next));
        OK(ABT_self_schedule(next, ABT_POOL_NULL));
    }
    OK(ABT_thread_free(&t));
    OK(ABT_task_free(&task));
    OK(ABT_pool_free(&aside));
    /* Of a unit whose stream is gone. */
    ABT_xstream x;
    ABT_pool p;
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &p));
    OK(ABT_xstream_create_basic(ABT_SCHED_DEFAULT, 1, &p, ABT_SCHED_CONFIG_NULL, &x));
    OK(ABT_thread_create(p, count, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_join(t));
    OK(ABT_xstream_free(&x));
    wrote(to, ABT_info_print_thread(to, t));
    OK(ABT_thread_free(&t));
    OK(ABT_pool_free(&p));
    fclose(to);
}

/* A scheduler without pools: its unit has none either. */
static int pool_of_scheduler;
static void asks_for_its_pool(ABT_sched s)
{
    ABT_thread me;
    ABT_bool stop = ABT_FALSE;
    OK(ABT_self_get_thread(&me));
    OK(ABT_thread_get_last_pool_id(me, &pool_of_scheduler));
    while (stop == ABT_FALSE) {
        OK(ABT_xstream_check_events(s));
        OK(ABT_sched_has_to_stop(s, &stop));
    }
}
static void without_pools(void)
{
    ABT_sched_def def = {ABT_SCHED_TYPE_ULT, NULL, asks_for_its_pool, NULL, NULL};
    ABT_sched s;
    ABT_xstream x;
    pool_of_scheduler = 0;
    OK(ABT_sched_create(&def, 0, NULL, ABT_SCHED_CONFIG_NULL, &s));
    OK(ABT_xstream_create(s, &x));
    OK(ABT_xstream_free(&x));
    CHECK(pool_of_scheduler == -1);
    OK(ABT_sched_free(&s));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    about_units();
    many_units();
    about_places();
    prints();
    without_pools();
    end();
    return 0;
}
