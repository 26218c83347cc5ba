/* What is asked of units, streams, pools, schedulers and their configurations, and what is printed
   of them. */
#include "check.h"

#include <stdatomic.h>
#include <string.h>

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

static void attributes(void)
{
    static char room[1 << 16] __attribute__((aligned(16)));
    ABT_thread_attr a, of;
    ABT_thread t;
    void* stack;
    size_t size, usual;
    OK(ABT_thread_attr_create(&a));
    OK(ABT_thread_attr_get_stacksize(a, &usual));
    OK(ABT_info_query_config(ABT_INFO_QUERY_KIND_DEFAULT_THREAD_STACKSIZE, &size));
    CHECK(size == usual);
    OK(ABT_thread_attr_get_stack(a, &stack, &size));
    CHECK(stack == NULL && size == usual);
    OK(ABT_thread_attr_set_stack(a, room, sizeof room));
    OK(ABT_thread_attr_get_stack(a, &stack, &size));
    CHECK(stack == room && size == sizeof room);
    CHECK(ABT_thread_create_many(0, NULL, NULL, NULL, a, NULL) == ABT_ERR_INV_THREAD_ATTR);
    OK(ABT_thread_create(pool[0], count, NULL, a, &t));
    OK(ABT_thread_get_attr(t, &of));
    OK(ABT_thread_attr_get_stack(of, &stack, &size));
    CHECK(stack == room && size == sizeof room);
    OK(ABT_thread_free(&t));
    OK(ABT_thread_attr_free(&of));
    OK(ABT_thread_attr_free(&a));
    ABT_mutex_attr m;
    ABT_mutex mutex;
    OK(ABT_mutex_attr_create(&m));
    OK(ABT_mutex_attr_set_recursive(m, ABT_TRUE));
    OK(ABT_mutex_create_with_attr(m, &mutex));
    OK(ABT_mutex_attr_free(&m));
    OK(ABT_mutex_spinlock(mutex));
    OK(ABT_mutex_spinlock(mutex));
    OK(ABT_mutex_trylock(mutex));
    for (int i = 0; i < 3; ++i) {
        OK(ABT_mutex_unlock(mutex));
    }
    OK(ABT_mutex_free(&mutex));
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

static void configurations(void)
{
    ABT_sched_config c;
    ABT_sched_config_type type;
    int number = 0;
    double real = 0;
    void* pointer = NULL;
    const ABT_sched_config_var first = {0, ABT_SCHED_CONFIG_INT};
    const ABT_sched_config_var third = {2, ABT_SCHED_CONFIG_PTR};
    OK(ABT_sched_config_create(&c, ABT_sched_basic_freq, 5, ABT_sched_config_automatic, 0, first,
                               11, third, &ran, ABT_sched_config_var_end));
    const double half = 0.5;
    OK(ABT_sched_config_set(c, 1, ABT_SCHED_CONFIG_DOUBLE, &half));
    OK(ABT_sched_config_read(c, 3, &number, &real, &pointer));
    CHECK(number == 11 && real == half && pointer == &ran);
    OK(ABT_sched_config_get(c, 1, &type, &real));
    CHECK(type == ABT_SCHED_CONFIG_DOUBLE && real == half);
    OK(ABT_sched_config_get(c, ABT_sched_basic_freq.idx, &type, &number));
    CHECK(type == ABT_SCHED_CONFIG_INT && number == 5);
    OK(ABT_sched_config_set(c, 1, ABT_SCHED_CONFIG_DOUBLE, NULL));
    CHECK(ABT_sched_config_get(c, 1, NULL, NULL) == ABT_ERR_INV_ARG);
    CHECK(ABT_sched_config_set(c, 1, (ABT_sched_config_type)9, &half) == ABT_ERR_INV_ARG);
    /* Not automatic: it outlives its stream. */
    ABT_sched s;
    ABT_xstream x;
    size_t size;
    OK(ABT_sched_create_basic(ABT_SCHED_BASIC, 0, NULL, c, &s));
    OK(ABT_sched_config_free(&c));
    CHECK(c == ABT_SCHED_CONFIG_NULL);
    OK(ABT_xstream_create(s, &x));
    CHECK(ABT_sched_free(&s) == ABT_ERR_SCHED);
    OK(ABT_sched_finish(s));
    OK(ABT_xstream_free(&x));
    OK(ABT_sched_get_total_size(s, &size));
    CHECK(size == 0);
    OK(ABT_sched_exit(s));
    OK(ABT_sched_free(&s));
    ABT_pool_config pc;
    ABT_pool_config_type pool_type;
    const int automatic = 1;
    OK(ABT_pool_config_create(&pc));
    OK(ABT_pool_config_set(pc, ABT_pool_config_automatic.key, ABT_POOL_CONFIG_INT, &automatic));
    OK(ABT_pool_config_get(pc, ABT_pool_config_automatic.key, &pool_type, &number));
    CHECK(pool_type == ABT_POOL_CONFIG_INT && number == 1);
    CHECK(ABT_pool_config_get(pc, 7, NULL, NULL) == ABT_ERR_INV_ARG);
    OK(ABT_pool_config_free(&pc));
}

static void timers(void)
{
    ABT_timer t, copy;
    double read, sum = 1, again;
    OK(ABT_timer_create(&t));
    OK(ABT_timer_start(t));
    OK(ABT_timer_stop(t));
    OK(ABT_timer_read(t, &read));
    OK(ABT_timer_dup(t, &copy));
    OK(ABT_timer_read(copy, &again));
    CHECK(read >= 0 && again == read);
    OK(ABT_timer_stop_and_add(t, &sum));
    CHECK(sum >= 1 + read);
    OK(ABT_timer_get_overhead(&read));
    CHECK(read >= 0);
    OK(ABT_timer_free(&copy));
    OK(ABT_timer_free(&t));
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

int main(int argc, char** argv)
{
    begin(argc, argv);
    about_units();
    many_units();
    attributes();
    about_places();
    configurations();
    timers();
    prints();
    end();
    return 0;
}
