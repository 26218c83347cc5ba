/* Execution streams: ranks, states and ends. */
#include "check.h"

#include <stdatomic.h>

static atomic_int ran;

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

int main(int argc, char** argv)
{
    begin(argc, argv);
    about_streams();
    ends_of_streams();
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
