/* Wrong use, and the documented error of it; before ABT_init and afterwards. */
#include "check.h"

#include <stdint.h>
#include <string.h>

static void nothing(void* argument)
{
    (void)argument;
}

static void uninitialized(void)
{
    ABT_xstream x;
    ABT_thread t;
    ABT_unit_type type;
    ABT_bool flag;
    int number;
    CHECK(ABT_initialized() == ABT_ERR_UNINITIALIZED);
    CHECK(ABT_finalize() == ABT_ERR_UNINITIALIZED);
    CHECK(ABT_xstream_self(&x) == ABT_ERR_UNINITIALIZED && x == ABT_XSTREAM_NULL);
    CHECK(ABT_thread_self(&t) == ABT_ERR_UNINITIALIZED && t == ABT_THREAD_NULL);
    CHECK(ABT_self_get_type(&type) == ABT_ERR_UNINITIALIZED && type == ABT_UNIT_TYPE_EXT);
    CHECK(ABT_self_is_primary(&flag) == ABT_ERR_UNINITIALIZED && flag == ABT_FALSE);
    CHECK(ABT_xstream_get_num(&number) == ABT_ERR_UNINITIALIZED && number == 0);
    CHECK(ABT_info_query_config(ABT_INFO_QUERY_KIND_ENABLED_TOOL, &flag) == ABT_ERR_UNINITIALIZED);
    CHECK(ABT_key_set(ABT_KEY_NULL, NULL) == ABT_ERR_INV_KEY);
    CHECK(ABT_self_yield_to(ABT_THREAD_NULL) == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_self_schedule(ABT_THREAD_NULL, ABT_POOL_NULL) == ABT_ERR_INV_THREAD);
    ABT_timer timer; /* these work at any time */
    double seconds;
    OK(ABT_timer_create(&timer));
    OK(ABT_timer_start(timer));
    OK(ABT_timer_stop_and_read(timer, &seconds));
    CHECK(seconds >= 0);
    OK(ABT_timer_free(&timer));
}

static void null_handles(void)
{
    ABT_thread none = ABT_THREAD_NULL;
    ABT_xstream no_stream = ABT_XSTREAM_NULL;
    ABT_mutex no_mutex = ABT_MUTEX_NULL;
    size_t size;
    int number;
    CHECK(ABT_thread_join(none) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_free(&none) == ABT_ERR_INV_THREAD);
    CHECK(ABT_task_join(ABT_TASK_NULL) == ABT_ERR_INV_TASK);
    CHECK(ABT_thread_cancel(none) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_resume(none) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_get_stacksize(none, &size) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_create(ABT_POOL_NULL, nothing, NULL, ABT_THREAD_ATTR_NULL, &none) ==
          ABT_ERR_INV_POOL);
    ABT_task no_task = NULL;
    CHECK(ABT_task_create(ABT_POOL_NULL, nothing, NULL, &no_task) == ABT_ERR_INV_POOL);
    CHECK(no_task == ABT_TASK_NULL);
    CHECK(ABT_thread_migrate_to_xstream(none, no_stream) == ABT_ERR_INV_THREAD);
    CHECK(ABT_xstream_join(no_stream) == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_xstream_free(&no_stream) == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_xstream_get_rank(no_stream, &number) == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_pool_get_size(ABT_POOL_NULL, &size) == ABT_ERR_INV_POOL);
    CHECK(ABT_pool_push(pool[0], ABT_UNIT_NULL) == ABT_ERR_INV_UNIT);
    CHECK(ABT_sched_get_num_pools(ABT_SCHED_NULL, &number) == ABT_ERR_INV_SCHED);
    CHECK(ABT_mutex_lock(no_mutex) == ABT_ERR_INV_MUTEX);
    CHECK(ABT_mutex_free(&no_mutex) == ABT_ERR_INV_MUTEX);
    CHECK(ABT_cond_signal(ABT_COND_NULL) == ABT_ERR_INV_COND);
    CHECK(ABT_rwlock_rdlock(ABT_RWLOCK_NULL) == ABT_ERR_INV_RWLOCK);
    CHECK(ABT_eventual_wait(ABT_EVENTUAL_NULL, NULL) == ABT_ERR_INV_EVENTUAL);
    CHECK(ABT_future_wait(ABT_FUTURE_NULL) == ABT_ERR_INV_FUTURE);
    CHECK(ABT_barrier_wait(ABT_BARRIER_NULL) == ABT_ERR_INV_BARRIER);
    CHECK(ABT_xstream_barrier_wait(ABT_XSTREAM_BARRIER_NULL) == ABT_ERR_INV_XSTREAM_BARRIER);
    CHECK(ABT_timer_start(ABT_TIMER_NULL) == ABT_ERR_INV_TIMER);
    CHECK(ABT_self_set_specific(ABT_KEY_NULL, NULL) == ABT_ERR_INV_KEY);
    CHECK(ABT_thread_attr_set_stacksize(ABT_THREAD_ATTR_NULL, 1) == ABT_ERR_INV_THREAD_ATTR);
}

static void wrong_arguments(void)
{
    ABT_pool p;
    ABT_sched s;
    ABT_barrier b;
    ABT_eventual e;
    ABT_thread me;
    ABT_thread_attr a;
    CHECK(ABT_pool_create_basic((ABT_pool_kind)9, ABT_POOL_ACCESS_MPMC, ABT_TRUE, &p) ==
          ABT_ERR_INV_POOL_KIND);
    CHECK(ABT_pool_create_basic(ABT_POOL_FIFO, (ABT_pool_access)9, ABT_TRUE, &p) ==
          ABT_ERR_INV_POOL_ACCESS);
    CHECK(p == ABT_POOL_NULL);
    CHECK(ABT_sched_create_basic((ABT_sched_predef)9, 0, NULL, ABT_SCHED_CONFIG_NULL, &s) ==
          ABT_ERR_INV_SCHED_PREDEF);
    CHECK(ABT_barrier_create(0, &b) == ABT_ERR_INV_ARG && b == ABT_BARRIER_NULL);
    CHECK(ABT_eventual_create(-1, &e) == ABT_ERR_INV_ARG);
    OK(ABT_self_get_thread(&me));
    CHECK(ABT_thread_join(me) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_cancel(me) == ABT_ERR_INV_THREAD);
    CHECK(ABT_self_exit() == ABT_ERR_INV_THREAD);
    CHECK(ABT_self_yield_to(me) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_resume(me) == ABT_ERR_THREAD);
    CHECK(ABT_thread_revive(pool[0], nothing, NULL, &me) == ABT_ERR_INV_THREAD);
    CHECK(ABT_xstream_exit() == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_thread_migrate(me) == ABT_ERR_INV_THREAD);
    OK(ABT_thread_attr_create(&a));
    CHECK(ABT_thread_attr_set_stack(a, (void*)3, 1 << 16) == ABT_ERR_INV_ARG);
    OK(ABT_thread_attr_free(&a));
    CHECK(ABT_tool_register_thread_callback(NULL, 0, NULL) == ABT_ERR_FEATURE_NA);
    CHECK(ABT_tool_query_thread(ABT_TOOL_CONTEXT_NULL, 0, ABT_TOOL_QUERY_KIND_POOL, NULL) ==
          ABT_ERR_FEATURE_NA);
}

/* There is no memory for such stacks. */
static void huge_stacks(void)
{
    static const size_t huge[] = {SIZE_MAX,     SIZE_MAX - 4095, SIZE_MAX - 8192, SIZE_MAX / 2,
                                  SIZE_MAX / 4, (size_t)1 << 60, (size_t)1 << 50};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; ++i) {
        ABT_thread_attr a;
        ABT_thread t;
        OK(ABT_thread_attr_create(&a));
        OK(ABT_thread_attr_set_stacksize(a, huge[i]));
        CHECK(ABT_thread_create(pool[0], nothing, NULL, a, &t) == ABT_ERR_MEM);
        CHECK(t == ABT_THREAD_NULL);
        CHECK(ABT_thread_create(pool[0], nothing, NULL, a, NULL) == ABT_ERR_MEM);
        OK(ABT_thread_attr_free(&a));
    }
}

/* A unit keeps its stack while it is revived. */
static void own_stacks(void)
{
    ABT_thread_attr a;
    ABT_thread t;
    OK(ABT_thread_attr_create(&a));
    OK(ABT_thread_attr_set_stacksize(a, 1 << 22));
    OK(ABT_thread_create(pool[0], nothing, NULL, a, &t));
    OK(ABT_thread_attr_free(&a));
    OK(ABT_thread_join(t));
    for (int i = 0; i < 3; ++i) {
        OK(ABT_thread_revive(pool[0], nothing, NULL, &t));
        OK(ABT_thread_join(t));
    }
    OK(ABT_thread_free(&t));
}

static void in_words(void)
{
    char text[64];
    size_t length;
    for (int code = ABT_SUCCESS; code <= ABT_ERR_INV_POOL_USER_DEF; ++code) {
        OK(ABT_error_get_str(code, text, &length));
        CHECK(strlen(text) == length && strncmp(text, "ABT_", 4) == 0);
    }
    CHECK(ABT_error_get_str(-1, text, NULL) == ABT_ERR_OTHER);
    CHECK(ABT_error_get_str(1000, text, NULL) == ABT_ERR_OTHER);
}

int main(int argc, char** argv)
{
    uninitialized();
    begin(argc, argv);
    null_handles();
    wrong_arguments();
    huge_stacks();
    own_stacks();
    in_words();
    end();
    uninitialized();
    return 0;
}
