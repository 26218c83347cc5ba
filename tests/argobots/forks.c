/* The child of a fork begins anew with ABT_init, whoever forks and whatever other threads are doing
 * in the library at that moment. */
#define _DEFAULT_SOURCE
#include "../forked_child.h"
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { time_limit = 60, forks = 10 };

static atomic_int ran;
static atomic_int over;
static ABT_eventual end_of_waiting;
static ABT_thread waits; /* while main forks */
static ABT_thread_attr attributes;
static int arguments;
static char** argument;

static void count(void* unused)
{
    (void)unused;
    ++ran;
}

static void use(void)
{
    ran = 0;
    everywhere(3, count, NULL);
    CHECK(ran == 3 * streams);
}

/* Streams come and go: their stacks are kept in a list of the library's. */
static void* make_streams(void* unused)
{
    (void)unused;
    do {
        ABT_xstream made;
        OK(ABT_xstream_create(ABT_SCHED_NULL, &made));
        OK(ABT_xstream_free(&made));
    } while (!over);
    return NULL;
}

static void wait_for_end(void* unused)
{
    (void)unused;
    OK(ABT_eventual_wait(end_of_waiting, NULL));
}

/* Before ABT_init nobody would run a unit, or end one of the parent's. */
static void nothing_runs(void)
{
    const int none = ABT_ERR_UNINITIALIZED;
    ABT_thread t = waits;
    ABT_xstream last = stream[streams - 1];
    ABT_sched sched;
    ABT_pool few[1] = {pool[0]};
    size_t size;
    OK(ABT_thread_yield()); /* as anybody who cannot yield */
    OK(ABT_thread_yield_to(t));
    CHECK(ABT_self_yield() == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_thread_get_stacksize(t, &size) == none);
    CHECK(ABT_thread_attr_get_stacksize(attributes, &size) == none);
    CHECK(ABT_xstream_set_rank(last, streams + 1) == none);
    CHECK(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, few, ABT_SCHED_CONFIG_NULL, &last) == none);
    CHECK(last == ABT_XSTREAM_NULL);
    last = stream[streams - 1];
    CHECK(ABT_sched_create_basic(ABT_SCHED_BASIC, 1, few, ABT_SCHED_CONFIG_NULL, &sched) == none);
    CHECK(ABT_thread_migrate_to_xstream(t, last) == none);
    CHECK(ABT_thread_join(t) == none);
    CHECK(ABT_thread_free(&t) == none);
    CHECK(ABT_thread_join_many(1, &t) == none);
    CHECK(ABT_thread_free_many(1, &t) == none);
    CHECK(ABT_thread_cancel(t) == none);
    CHECK(ABT_thread_resume(t) == none);
    CHECK(ABT_thread_migrate_to_pool(t, pool[0]) == none);
    CHECK(ABT_task_join(t) == none);
    CHECK(ABT_task_free(&t) == none);
    CHECK(ABT_xstream_join(last) == none);
    CHECK(ABT_xstream_free(&last) == none);
    CHECK(ABT_xstream_cancel(last) == none);
    CHECK(ABT_pool_push_thread(pool[0], t) == none);
    CHECK(t == waits && last == stream[streams - 1]);
    CHECK(ABT_pool_pop_thread(pool[0], &t) == none);
    CHECK(ABT_thread_create(pool[0], count, NULL, ABT_THREAD_ATTR_NULL, &t) == none);
    CHECK(ABT_thread_create_on_xstream(last, count, NULL, ABT_THREAD_ATTR_NULL, NULL) == none);
    CHECK(ABT_task_create(pool[0], count, NULL, NULL) == none);
    CHECK(ABT_task_create_on_xstream(last, count, NULL, NULL) == none);
    CHECK(ABT_thread_create(ABT_POOL_NULL, count, NULL, ABT_THREAD_ATTR_NULL, &t) == none);
}

static void fork_one(void)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(time_limit);
        CHECK(ABT_initialized() == ABT_ERR_UNINITIALIZED);
        nothing_runs();
        begin(arguments, argument);
        use();
        over = 1;
        make_streams(NULL);
        end();
        CHECK(ABT_initialized() == ABT_ERR_UNINITIALIZED);
        _exit(0);
    }
    CHECK(ended_well(child));
}

static void fork_in_unit(void* unused)
{
    (void)unused;
    fork_one();
}

/* Stacks are printed on request also in a child that was forked while the parent printed some. */
static atomic_int printing, forked;

static void wait_for_fork(ABT_bool late, void* unused)
{
    (void)late, (void)unused;
    printing = 1;
    while (!forked) {
        usleep(100);
    }
}
static void have_printed(ABT_bool late, void* done)
{
    (void)late;
    *(atomic_int*)done = 1;
}

static void* fork_while_printing(void* to)
{
    while (!printing) {
        usleep(100);
    }
    const pid_t child = fork();
    if (child == 0) {
        alarm(time_limit);
        atomic_int done = 0;
        begin(arguments, argument);
        OK(ABT_info_trigger_print_all_thread_stacks(to, 0.5, have_printed, &done));
        while (!done) {
            OK(ABT_self_yield());
        }
        end();
        _exit(0);
    }
    forked = 1;
    CHECK(ended_well(child));
    return NULL;
}

static void requests_to_print(void)
{
    pthread_t other;
    FILE* const to = tmpfile();
    CHECK(to != NULL && pthread_create(&other, NULL, fork_while_printing, to) == 0);
    OK(ABT_info_trigger_print_all_thread_stacks(to, 0.1, wait_for_fork, NULL));
    while (!forked) {
        OK(ABT_self_yield());
    }
    pthread_join(other, NULL);
    fclose(to);
}

int main(int argc, char** argv)
{
    arguments = argc;
    argument = argv;
    begin(argc, argv);
    use();
    OK(ABT_eventual_create(0, &end_of_waiting));
    OK(ABT_thread_attr_create(&attributes));
    OK(ABT_thread_create(pool[0], wait_for_end, NULL, ABT_THREAD_ATTR_NULL, &waits));
    fork_one();
    everywhere(1, fork_in_unit, NULL);
    pthread_t other;
    CHECK(pthread_create(&other, NULL, make_streams, NULL) == 0);
    for (int i = 0; i < forks; ++i) {
        fork_one();
    }
    over = 1;
    pthread_join(other, NULL);
    requests_to_print();
    OK(ABT_eventual_set(end_of_waiting, NULL, 0));
    OK(ABT_thread_free(&waits));
    OK(ABT_thread_attr_free(&attributes));
    OK(ABT_eventual_free(&end_of_waiting));
    use();
    end();
    puts("all right");
    return 0;
}
