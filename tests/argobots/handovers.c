/* Units that hand their stream to a given one: yielding, suspended or ended, to one that is popped,
   blocked, new or revived. A pool that no stream has keeps the others where they are. */
#include "check.h"

#include <pthread.h>
#include <string.h>

struct scene {
    char written[16];
    int count;
    ABT_pool aside;
    ABT_thread a, b;
};

static void write_down(struct scene* s, char letter)
{
    s->written[s->count++] = letter;
}

static ABT_thread popped(ABT_pool from)
{
    ABT_thread t;
    OK(ABT_pool_pop_thread(from, &t));
    CHECK(t != ABT_THREAD_NULL);
    return t;
}

static void writes(void* scene)
{
    write_down(scene, 'b');
}
static void writes_twice(void* scene)
{
    write_down(scene, 'b');
    OK(ABT_self_yield());
    write_down(scene, 'B');
}

/* A new one, a revived one, one that is taken out of its pool, and one that was. */
static void yields_to(void* scene)
{
    struct scene* const s = scene;
    ABT_thread t;
    size_t size;
    OK(ABT_thread_create_to(s->aside, writes, s, ABT_THREAD_ATTR_NULL, &t));
    write_down(s, '1');
    OK(ABT_thread_join(t));
    OK(ABT_thread_revive_to(s->aside, writes, s, &t));
    write_down(s, '2');
    OK(ABT_thread_join(t));
    OK(ABT_thread_revive(s->aside, writes, s, &t));
    OK(ABT_thread_yield_to(t));
    write_down(s, '3');
    OK(ABT_thread_yield_to(t)); /* nothing: it is in no pool */
    OK(ABT_thread_free(&t));
    OK(ABT_thread_create(s->aside, writes_twice, s, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_self_yield_to(popped(s->aside)));
    write_down(s, '4');
    OK(ABT_pool_get_size(s->aside, &size));
    CHECK(size == 1);
    OK(ABT_self_schedule(popped(s->aside), ABT_POOL_NULL));
    OK(ABT_thread_free(&t));
}

static void suspends_to(void* scene)
{
    struct scene* const s = scene;
    write_down(s, 'a');
    OK(ABT_self_suspend_to(popped(s->aside)));
    write_down(s, 'A');
}
static void check_blocked(ABT_thread t)
{
    ABT_thread_state state;
    OK(ABT_thread_get_state(t, &state));
    CHECK(state == ABT_THREAD_STATE_BLOCKED);
}
static void resumes_and_yields(void* scene)
{
    struct scene* const s = scene;
    write_down(s, 'b');
    check_blocked(s->a);
    OK(ABT_self_resume_yield_to(s->a));
    write_down(s, 'B');
}
static void suspends_to_and_resumes(void* scene)
{
    struct scene* const s = scene;
    suspends_to(s);
    check_blocked(s->b);
    OK(ABT_thread_resume(s->b));
}
static void resumes_and_suspends(void* scene)
{
    struct scene* const s = scene;
    write_down(s, 'b');
    OK(ABT_self_resume_suspend_to(s->a));
    write_down(s, 'B');
}
static void exits_to(void* scene)
{
    struct scene* const s = scene;
    write_down(s, 'a');
    ABT_self_exit_to(popped(s->aside));
    write_down(s, 'X');
}
static void joins_and_exits(void* scene)
{
    struct scene* const s = scene;
    OK(ABT_thread_join(s->a));
    write_down(s, 'b');
    ABT_thread_exit();
    write_down(s, 'X');
}
static void resumes_and_exits(void* scene)
{
    struct scene* const s = scene;
    write_down(s, 'b');
    ABT_self_resume_exit_to(s->a);
    write_down(s, 'X');
}

/* `first` in each stream in turn, `second` aside. */
static void play(void (*first)(void*), void (*second)(void*), const char* expected)
{
    for (int i = 0; i < streams; ++i) {
        struct scene s = {.count = 0};
        size_t size;
        OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &s.aside));
        if (second != NULL) {
            OK(ABT_thread_create(s.aside, second, &s, ABT_THREAD_ATTR_NULL, &s.b));
        }
        OK(ABT_thread_create(pool[i], first, &s, ABT_THREAD_ATTR_NULL, &s.a));
        OK(ABT_thread_join(s.a));
        ABT_thread rest;
        OK(ABT_pool_pop_thread(s.aside, &rest));
        while (rest != ABT_THREAD_NULL) {
            OK(ABT_self_schedule(rest, ABT_POOL_NULL));
            OK(ABT_pool_pop_thread(s.aside, &rest));
        }
        if (second != NULL) {
            OK(ABT_thread_free(&s.b));
        }
        OK(ABT_thread_free(&s.a));
        OK(ABT_pool_get_total_size(s.aside, &size));
        CHECK(size == 0);
        CHECK(strcmp(s.written, expected) == 0);
        OK(ABT_pool_free(&s.aside));
    }
}

/* A unit's pool is where it goes when it yields. */
static void changes_pool(void* other)
{
    ABT_pool now;
    int id, wanted;
    OK(ABT_self_set_associated_pool(*(ABT_pool*)other));
    OK(ABT_self_yield());
    OK(ABT_self_get_last_pool(&now));
    CHECK(now == *(ABT_pool*)other);
    OK(ABT_self_get_last_pool_id(&id));
    OK(ABT_pool_get_id(now, &wanted));
    CHECK(id == wanted);
    int rank, of_pool;
    OK(ABT_xstream_self_rank(&rank));
    OK(ABT_xstream_get_rank(stream[streams - 1], &of_pool));
    CHECK(rank == of_pool);
}
static void changed_pools(void)
{
    ABT_thread t;
    OK(ABT_thread_create(pool[0], changes_pool, &pool[streams - 1], ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_free(&t));
    ABT_pool aside;
    struct scene s = {.count = 0};
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &aside));
    OK(ABT_thread_create(aside, writes, &s, ABT_THREAD_ATTR_NULL, &t));
    CHECK(popped(aside) == t);
    OK(ABT_thread_set_associated_pool(t, pool[streams - 1]));
    OK(ABT_pool_push_thread(pool[streams - 1], t));
    OK(ABT_thread_free(&t));
    CHECK(s.count == 1);
    OK(ABT_pool_free(&aside));
}

/* Refused are calls by a thread that is no unit and by a tasklet, and calls that name the caller
 * itself or no unit. */
static void check_all(ABT_thread to, int error)
{
    CHECK(ABT_self_yield_to(to) == error);
    CHECK(ABT_self_resume_yield_to(to) == error);
    CHECK(ABT_self_suspend_to(to) == error);
    CHECK(ABT_self_resume_suspend_to(to) == error);
    CHECK(ABT_self_exit_to(to) == error);
    CHECK(ABT_self_resume_exit_to(to) == error);
    CHECK(ABT_self_schedule(to, ABT_POOL_NULL) == error);
}
static void cannot(void* t)
{
    check_all(*(ABT_thread*)t, ABT_ERR_INV_THREAD);
    CHECK(ABT_self_yield() == ABT_ERR_INV_THREAD);
    CHECK(ABT_self_suspend() == ABT_ERR_INV_THREAD);
    CHECK(ABT_self_exit() == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_exit() == ABT_ERR_INV_THREAD);
    OK(ABT_thread_yield());
    OK(ABT_thread_yield_to(*(ABT_thread*)t));
}
static void* is_no_unit(void* t)
{
    ABT_thread made;
    check_all(*(ABT_thread*)t, ABT_ERR_INV_XSTREAM);
    CHECK(ABT_self_yield() == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_self_suspend() == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_self_exit() == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_self_set_associated_pool(pool[0]) == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_thread_create_to(pool[0], writes, NULL, ABT_THREAD_ATTR_NULL, &made) ==
          ABT_ERR_INV_XSTREAM);
    OK(ABT_thread_yield());
    OK(ABT_thread_yield_to(ABT_THREAD_NULL));
    return NULL;
}
static void wrong_callers(void)
{
    ABT_task task;
    ABT_thread t;
    pthread_t outside;
    struct scene s = {.count = 0};
    OK(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &s.aside));
    OK(ABT_thread_create(s.aside, writes, &s, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_task_create(pool[streams - 1], cannot, &t, &task));
    OK(ABT_task_free(&task));
    CHECK(pthread_create(&outside, NULL, is_no_unit, &t) == 0);
    CHECK(pthread_join(outside, NULL) == 0);
    check_all(ABT_THREAD_NULL, ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_yield_to(ABT_THREAD_NULL) == ABT_ERR_INV_THREAD);
    CHECK(s.count == 0);
    OK(ABT_self_schedule(popped(s.aside), ABT_POOL_NULL));
    OK(ABT_thread_free(&t));
    OK(ABT_pool_free(&s.aside));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    play(yields_to, NULL, "b1b2b3b4B");
    play(suspends_to, resumes_and_yields, "abAB");
    play(suspends_to_and_resumes, resumes_and_suspends, "abAB");
    play(exits_to, joins_and_exits, "ab");
    play(suspends_to, resumes_and_exits, "abA");
    changed_pools();
    wrong_callers();
    end();
    return 0;
}
