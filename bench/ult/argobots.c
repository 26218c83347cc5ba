/* What the operations of the Argobots interface cost with the libabt.so.1 that the program finds.
 * Prints a line for each: name, median and minimum over rounds, in nanoseconds for each operation.
 * With a word as argument: the cases with names that have it; with a number instead: what so many
 * ULTs cost that have begun and wait, and that have not begun. */
#include "cases.h"

#include <abt.h>

#define OK(call)                                                 \
    do {                                                         \
        if ((call) != ABT_SUCCESS) {                             \
            fprintf(stderr, "%s: %s failed\n", __FILE__, #call); \
            exit(1);                                             \
        }                                                        \
    } while (0)

static ABT_pool here, there;
static ABT_mutex mutex;
static ABT_eventual ball[2];

static void nothing(void* argument)
{
    (void)argument;
}

static void yields(void* argument)
{
    for (long i = 0; i < (long)argument; ++i) {
        ABT_self_yield();
    }
}

/* All begin to run before the first joins: the time of create, run and join of each. */
static void create_and_join(void)
{
    static ABT_thread t[256];
    for (int i = 0; i < operations; i += 256) {
        for (int k = 0; k < 256; ++k) {
            ABT_thread_create(here, nothing, NULL, ABT_THREAD_ATTR_NULL, &t[k]);
        }
        for (int k = 0; k < 256; ++k) {
            ABT_thread_free(&t[k]);
        }
    }
}

static void create_and_join_one_by_one(void)
{
    for (int i = 0; i < operations; ++i) {
        ABT_thread t;
        ABT_thread_create(here, nothing, NULL, ABT_THREAD_ATTR_NULL, &t);
        ABT_thread_free(&t);
    }
}

static void tasklets(void)
{
    static ABT_task t[256];
    for (int i = 0; i < operations; i += 256) {
        for (int k = 0; k < 256; ++k) {
            ABT_task_create(here, nothing, NULL, &t[k]);
        }
        for (int k = 0; k < 256; ++k) {
            ABT_task_free(&t[k]);
        }
    }
}

static void yield(void)
{
    ABT_thread t[2];
    for (int k = 0; k < 2; ++k) {
        OK(ABT_thread_create(here, yields, (void*)(long)(operations / 2), ABT_THREAD_ATTR_NULL,
                             &t[k]));
    }
    for (int k = 0; k < 2; ++k) {
        OK(ABT_thread_free(&t[k]));
    }
}

static void plays(void* argument)
{
    const int side = (int)(long)argument;
    for (int i = 0; i < operations / 2; ++i) {
        if (side == 0) {
            ABT_eventual_set(ball[0], NULL, 0);
            ABT_eventual_wait(ball[1], NULL);
            ABT_eventual_reset(ball[1]);
        } else {
            ABT_eventual_wait(ball[0], NULL);
            ABT_eventual_reset(ball[0]);
            ABT_eventual_set(ball[1], NULL, 0);
        }
    }
}

static void ping_pong(ABT_pool other)
{
    ABT_thread t[2];
    OK(ABT_thread_create(here, plays, (void*)0, ABT_THREAD_ATTR_NULL, &t[0]));
    OK(ABT_thread_create(other, plays, (void*)1, ABT_THREAD_ATTR_NULL, &t[1]));
    for (int k = 0; k < 2; ++k) {
        OK(ABT_thread_free(&t[k]));
    }
}
static void ping_pong_here(void)
{
    ping_pong(here);
}
static void ping_pong_there(void)
{
    ping_pong(there);
}

static void locks(void* argument)
{
    for (long i = 0; i < (long)argument; ++i) {
        ABT_mutex_lock(mutex);
        ABT_self_yield();
        ABT_mutex_unlock(mutex);
    }
}

/* A thousand ULTs that always find the mutex locked: each turn consists of a yield and a
 * hand-over. */
static void hand_over(void)
{
    static ABT_thread t[1000];
    for (int k = 0; k < 1000; ++k) {
        OK(ABT_thread_create(here, locks, (void*)(long)(operations / 1000), ABT_THREAD_ATTR_NULL,
                             &t[k]));
    }
    for (int k = 0; k < 1000; ++k) {
        OK(ABT_thread_free(&t[k]));
    }
}

/* Fourteen more streams: with the first two there are sixteen, each of which runs a ULT. */
enum { more_streams = 14 };
static void sixteen_streams(void)
{
    ABT_xstream x[more_streams];
    ABT_thread t[more_streams];
    for (int k = 0; k < more_streams; ++k) {
        OK(ABT_xstream_create(ABT_SCHED_NULL, &x[k]));
        OK(ABT_thread_create_on_xstream(x[k], nothing, NULL, ABT_THREAD_ATTR_NULL, &t[k]));
    }
    for (int k = 0; k < more_streams; ++k) {
        OK(ABT_thread_free(&t[k]));
        OK(ABT_xstream_free(&x[k]));
    }
}

static long begun;

static void waits(void* argument)
{
    (void)argument;
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    ABT_eventual_wait(ball[0], NULL);
}

static void measure_many(void* argument)
{
    ABT_thread* const t = calloc((size_t)many, sizeof *t);
    const double empty = memory();
    (void)argument;
    double start = now();
    for (long k = 0; k < many; ++k) {
        OK(ABT_thread_create(here, waits, NULL, ABT_THREAD_ATTR_NULL, &t[k]));
    }
    printf("not begun, bytes each\t%.0f\n", (memory() - empty) / (double)many);
    while (__atomic_load_n(&begun, __ATOMIC_RELAXED) < many) {
        ABT_self_yield();
    }
    printf("create and block\t%.1f\n", (now() - start) / (double)many);
    printf("blocked, bytes each\t%.0f\n", (memory() - empty) / (double)many);
    start = now();
    ABT_eventual_set(ball[0], NULL, 0);
    for (long k = 0; k < many; ++k) {
        OK(ABT_thread_free(&t[k]));
    }
    printf("wake and join\t%.1f\n", (now() - start) / (double)many);
    free(t);
}

static const struct ult_case cases[] = {
    {"create+join", create_and_join, 0, 0},
    {"create+join one by one", create_and_join_one_by_one, 0, 0},
    {"tasklet create+join", tasklets, 0, 0},
    {"yield", yield, 0, 0},
    {"eventual ping-pong, one stream", ping_pong_here, 0, 0},
    {"eventual ping-pong, two streams", ping_pong_there, 0, 0},
    {"mutex hand-over of 1000", hand_over, 0, 0},
    {"stream create+join, to 16", sixteen_streams, more_streams, 5},
};

/* On a ULT, as programs do it. */
static void measure(void* argument)
{
    (void)argument;
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        run_case(&cases[c]);
    }
}

int main(int argc, char** argv)
{
    ABT_xstream first, second;
    ABT_thread t;
    read_arguments(argc, argv);
    OK(ABT_init(argc, argv));
    OK(ABT_self_get_xstream(&first));
    OK(ABT_xstream_create(ABT_SCHED_NULL, &second));
    OK(ABT_xstream_get_main_pools(first, 1, &here));
    OK(ABT_xstream_get_main_pools(second, 1, &there));
    OK(ABT_mutex_create(&mutex));
    OK(ABT_eventual_create(0, &ball[0]));
    OK(ABT_eventual_create(0, &ball[1]));
    OK(ABT_thread_create(here, many > 0 ? measure_many : measure, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_free(&t));
    OK(ABT_xstream_free(&second));
    OK(ABT_finalize());
    return 0;
}
