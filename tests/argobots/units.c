/* Work units: what they are asked, cancelled, moved, revived, and what they keep for themselves. */
#include "check.h"

#include <stdatomic.h>
#include <string.h>

static atomic_int ran;
static atomic_int destroyed;
static atomic_int moved;
static ABT_key key;

static void count(void* argument)
{
    (void)argument;
    ++ran;
}

static void yields(void* argument)
{
    for (int i = 0; i < 100; ++i) {
        OK(ABT_self_yield());
    }
    count(argument);
}

static void knows_itself(void* argument)
{
    ABT_thread me, same;
    ABT_unit_id id, same_id;
    ABT_bool flag;
    ABT_pool last;
    ABT_unit unit;
    int number, same_number;
    void* got;
    void (*function)(void*);
    ABT_unit_type type;
    OK(ABT_self_get_thread(&me));
    OK(ABT_thread_self(&same));
    CHECK(me == same);
    OK(ABT_self_get_thread_id(&id));
    OK(ABT_thread_get_id(me, &same_id));
    CHECK(id == same_id);
    OK(ABT_self_is_unnamed(&flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_self_is_primary(&flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_self_get_last_pool(&last));
    OK(ABT_self_get_last_pool_id(&number));
    OK(ABT_pool_get_id(last, &same_number));
    CHECK(number == same_number);
    OK(ABT_thread_get_last_pool_id(me, &same_number));
    CHECK(number == same_number);
    OK(ABT_self_get_unit(&unit));
    CHECK(unit != ABT_UNIT_NULL);
    OK(ABT_unit_get_thread(unit, &same));
    CHECK(me == same);
    OK(ABT_self_get_type(&type));
    CHECK(type == ABT_UNIT_TYPE_THREAD);
    OK(ABT_self_get_arg(&got));
    CHECK(got == argument);
    OK(ABT_self_set_arg(&ran));
    OK(ABT_self_get_arg(&got));
    CHECK(got == (void*)&ran);
    OK(ABT_self_get_thread_func(&function));
    CHECK(function == knows_itself);
    OK(ABT_self_set_specific(key, argument));
    OK(ABT_key_get(key, &got));
    CHECK(got == argument);
    count(NULL);
}

static void task_knows_itself(void* argument)
{
    ABT_task me;
    ABT_unit_type type;
    OK(ABT_task_self(&me));
    OK(ABT_self_get_type(&type));
    CHECK(type == ABT_UNIT_TYPE_TASK);
    CHECK(ABT_self_yield() == ABT_ERR_INV_THREAD);
    void* got;
    OK(ABT_task_get_arg(me, &got));
    CHECK(got == argument);
    count(NULL);
}

static void destructor(void* value)
{
    CHECK(strcmp(value, "value") == 0);
    ++destroyed;
}

static void selves(void)
{
    char* const value = "value";
    ABT_thread t;
    ABT_task task, other;
    ABT_bool flag;
    void* got;
    int id;
    ABT_pool last;
    OK(ABT_key_create(destructor, &key));
    OK(ABT_thread_create(pool[streams - 1], knows_itself, value, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_join(t));
    OK(ABT_thread_get_specific(t, key, &got));
    CHECK(got == value && destroyed == 0);
    OK(ABT_thread_set_arg(t, &id));
    OK(ABT_thread_get_arg(t, &got));
    CHECK(got == &id);
    OK(ABT_thread_free(&t));
    CHECK(t == ABT_THREAD_NULL && destroyed == 1);
    OK(ABT_key_free(&key));
    OK(ABT_task_create(pool[streams - 1], task_knows_itself, value, &task));
    OK(ABT_task_create(pool[0], count, NULL, &other));
    OK(ABT_task_equal(task, other, &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_task_set_migratable(task, ABT_FALSE));
    OK(ABT_task_is_migratable(task, &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_task_join(task));
    ABT_task_state state;
    OK(ABT_task_get_state(task, &state));
    CHECK(state == ABT_TASK_STATE_TERMINATED);
    OK(ABT_task_get_last_pool(task, &last));
    CHECK(last == pool[streams - 1]);
    OK(ABT_task_get_last_pool_id(task, &id));
    OK(ABT_task_revive(pool[0], count, NULL, &task));
    OK(ABT_task_free(&task));
    OK(ABT_task_free(&other));
    CHECK(ran == 4);
}

/* Cancelled before it begins, or while it yields: the rest does not run, and joining returns. */
static void cancelling(void)
{
    ABT_thread t;
    ABT_task task;
    ran = 0;
    OK(ABT_thread_create(pool[0], count, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_thread_cancel(t));
    OK(ABT_thread_free(&t));
    OK(ABT_task_create(pool[0], count, NULL, &task));
    OK(ABT_task_cancel(task));
    OK(ABT_task_free(&task));
    OK(ABT_thread_create(pool[0], yields, NULL, ABT_THREAD_ATTR_NULL, &t));
    OK(ABT_self_yield());
    OK(ABT_thread_cancel(t));
    OK(ABT_thread_free(&t));
    CHECK(ran == 0);
}

static void has_moved(ABT_thread t, void* argument)
{
    (void)t;
    CHECK(argument == &moved);
    ++moved;
}

static void moves(void* argument)
{
    const int to = *(int*)argument;
    int rank;
    do {
        OK(ABT_self_yield());
        OK(ABT_self_get_xstream_rank(&rank));
    } while (rank != to);
    ABT_pool last;
    OK(ABT_self_get_last_pool(&last));
    CHECK(last == pool[to]);
    count(NULL);
}

static void migrating(void)
{
    int to = streams - 1;
    ran = 0;
    for (int way = 0; way < 4; ++way) {
        ABT_thread t;
        ABT_bool flag;
        ABT_sched sched;
        OK(ABT_thread_create(pool[0], moves, &to, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_thread_set_callback(t, has_moved, &moved));
        OK(ABT_thread_is_migratable(t, &flag));
        CHECK(flag == ABT_TRUE);
        OK(ABT_thread_set_migratable(t, ABT_FALSE));
        CHECK(ABT_thread_migrate_to_pool(t, pool[to]) == ABT_ERR_INV_THREAD);
        CHECK(ABT_thread_migrate_to_xstream(t, stream[0]) == ABT_ERR_INV_THREAD);
        OK(ABT_thread_set_migratable(t, ABT_TRUE));
        CHECK(ABT_thread_migrate_to_pool(t, pool[0]) == ABT_ERR_MIGRATION_TARGET);
        if (way == 0) {
            OK(ABT_thread_migrate_to_pool(t, pool[to]));
        } else if (way == 1) {
            OK(ABT_thread_migrate_to_xstream(t, stream[to]));
        } else if (way == 2) {
            OK(ABT_xstream_get_main_sched(stream[to], &sched));
            OK(ABT_thread_migrate_to_sched(t, sched));
        } else {
            OK(ABT_thread_migrate(t));
            OK(ABT_thread_migrate_to_pool(t, pool[to]));
        }
        OK(ABT_thread_free(&t));
    }
    CHECK(ran == 4 && moved == 4);
}

/* Writes to more than so many bytes of its stack. */
static int dig(size_t bytes)
{
    volatile char room[16 * 1024];
    room[0] = 1;
    return bytes <= sizeof room ? room[0] : dig(bytes - sizeof room) + room[0];
}
static void digs(void* bytes)
{
    ran += dig(*(const size_t*)bytes) > 0;
}

static void large_stacks(void)
{
    ABT_thread_attr a;
    ABT_thread t;
    ran = 0;
    size_t deep = 7u << 20;
    OK(ABT_thread_attr_create(&a));
    OK(ABT_thread_attr_set_stacksize(a, 8u << 20));
    OK(ABT_thread_create(pool[streams - 1], digs, &deep, a, &t));
    OK(ABT_thread_free(&t));
    OK(ABT_thread_attr_free(&a));
    CHECK(ran == 1);
    /* Tasklets have the stack of the scheduler, 4 MiB if nothing else is asked for. */
    deep = 3u << 20;
    for (int i = 0; i < 2; ++i) {
        OK(ABT_task_create(pool[i * (streams - 1)], digs, &deep, &t));
        OK(ABT_task_free(&t));
    }
    CHECK(ran == 3);
    if (getenv("ABT_THREAD_STACKSIZE") != NULL) {
        deep = strtoull(getenv("ABT_THREAD_STACKSIZE"), NULL, 10) / 8 * 7;
        OK(ABT_thread_create(pool[streams - 1], digs, &deep, ABT_THREAD_ATTR_NULL, &t));
        OK(ABT_thread_free(&t));
        CHECK(ran == 4);
    }
}

static void attributes(void)
{
    ABT_thread_attr a;
    ABT_thread t;
    ABT_bool flag;
    OK(ABT_thread_attr_create(&a));
    OK(ABT_thread_attr_set_migratable(a, ABT_FALSE));
    OK(ABT_thread_attr_set_callback(a, has_moved, &moved));
    OK(ABT_thread_attr_set_stacksize(a, 1 << 16));
    OK(ABT_thread_create(pool[0], count, NULL, a, &t));
    OK(ABT_thread_is_migratable(t, &flag));
    CHECK(flag == ABT_FALSE);
    OK(ABT_thread_free(&t));
    void* const memory = malloc(1 << 16);
    void* at;
    size_t size;
    OK(ABT_thread_attr_set_stack(a, memory, 1 << 16));
    OK(ABT_thread_create(pool[streams - 1], yields, NULL, a, &t));
    OK(ABT_thread_get_stack(t, &at, &size));
    CHECK(at == memory && size == 1 << 16);
    OK(ABT_thread_free(&t));
    free(memory); /* nobody stands on it any more */
    OK(ABT_info_print_thread_attr(stdout, a));
    OK(ABT_thread_attr_free(&a));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    selves();
    cancelling();
    migrating();
    attributes();
    large_stacks();
    end();
    return 0;
}
