/* What is configured: attributes of threads and mutexes, configurations of schedulers and pools;
   and timers. */
#include "check.h"

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static atomic_int ran;

static void count(void* argument)
{
    (void)argument;
    ++ran;
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

/* What the library takes from a variable. While it is initialised it also runs a unit. */
static void with_variable(const char* name, const char* value, ABT_info_query_kind kind, void* got)
{
    ABT_xstream x;
    ABT_pool p;
    ABT_thread t;
    CHECK(setenv(name, value, 1) == 0);
    OK(ABT_init(0, NULL));
    OK(ABT_info_query_config(kind, got));
    OK(ABT_self_get_xstream(&x));
    OK(ABT_xstream_get_main_pools(x, 1, &p));
    ran = 0;
    OK(ABT_thread_create(p, count, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_free(&t));
    CHECK(ran == 1);
    OK(ABT_finalize());
    CHECK(unsetenv(name) == 0);
}

/* Guards of stacks take nothing from the stacks of the default sizes. */
static void guarded_stacks(void)
{
    static const char* const kinds[] = {"mprotect", "mprotect_strict"};
    const ABT_info_query_kind of_thread = ABT_INFO_QUERY_KIND_DEFAULT_THREAD_STACKSIZE;
    const ABT_info_query_kind of_scheduler = ABT_INFO_QUERY_KIND_DEFAULT_SCHED_STACKSIZE;
    const size_t more = 2 * (size_t)sysconf(_SC_PAGESIZE);
    size_t usual = 0, usual_of_scheduler = 0, size = 0;
    with_variable("ABT_STACK_OVERFLOW_CHECK", "none", of_thread, &usual);
    with_variable("ABT_STACK_OVERFLOW_CHECK", "none", of_scheduler, &usual_of_scheduler);
    for (int i = 0; i < 2; ++i) {
        with_variable("ABT_STACK_OVERFLOW_CHECK", kinds[i], of_thread, &size);
        CHECK(size == usual + more);
        with_variable("ABT_STACK_OVERFLOW_CHECK", kinds[i], of_scheduler, &size);
        CHECK(size == usual_of_scheduler + more);
    }
}

static void variables(void)
{
    const ABT_info_query_kind frequency = ABT_INFO_QUERY_KIND_DEFAULT_SCHED_EVENT_FREQ;
    const ABT_info_query_kind streams_at_most = ABT_INFO_QUERY_KIND_MAX_NUM_XSTREAMS;
    uint64_t events = 0;
    unsigned most = 0;
    /* Values that are too large count as the largest one. */
    with_variable("ABT_SCHED_EVENT_FREQ", "4294967296", frequency, &events);
    CHECK(events > 1000000);
    with_variable("ABT_MAX_NUM_XSTREAMS", "4294967297", streams_at_most, &most);
    CHECK(most > 1000000);
    with_variable("ABT_KEY_TABLE_SIZE", "4294967296", frequency, &events);
    CHECK(events == 50);
    /* Negative ones are invalid. */
    with_variable("ABT_SCHED_EVENT_FREQ", "-1", frequency, &events);
    CHECK(events == 50);
    with_variable("ABT_SCHED_SLEEP_NSEC", " -1", ABT_INFO_QUERY_KIND_DEFAULT_SCHED_SLEEP_NSEC,
                  &events);
    CHECK(events == 100);
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    attributes();
    configurations();
    timers();
    end();
    variables();
    guarded_stacks();
    return 0;
}
