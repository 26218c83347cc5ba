/* Pools of the user, in both forms. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int ran;
static atomic_int units;

static void count(void* argument)
{
    (void)argument;
    ++ran;
}

/* A stack of units behind a lock, for both forms of the user's pools. */
struct element {
    ABT_thread thread;
    struct element* below;
};
static struct element* top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ABT_unit make_unit(ABT_thread t)
{
    struct element* const e = malloc(sizeof *e);
    e->thread = t;
    ++units;
    return (ABT_unit)e;
}
static ABT_unit make_unit_newer(ABT_pool p, ABT_thread t)
{
    (void)p;
    return make_unit(t);
}
static void free_unit(ABT_unit* u)
{
    free(*u);
    --units;
}
static void free_unit_newer(ABT_pool p, ABT_unit u)
{
    (void)p;
    free_unit(&u);
}
static void push_unit(ABT_pool p, ABT_unit u)
{
    (void)p;
    struct element* const e = (struct element*)u;
    pthread_mutex_lock(&lock);
    e->below = top;
    top = e;
    pthread_mutex_unlock(&lock);
}
static void push_newer(ABT_pool p, ABT_unit u, ABT_pool_context why)
{
    (void)why;
    push_unit(p, u);
}
static struct element* take(void)
{
    pthread_mutex_lock(&lock);
    struct element* const e = top;
    top = e != NULL ? e->below : NULL;
    pthread_mutex_unlock(&lock);
    return e;
}
static ABT_unit pop_unit(ABT_pool p)
{
    (void)p;
    struct element* const e = take();
    return e != NULL ? (ABT_unit)e : ABT_UNIT_NULL;
}
static ABT_thread pop_newer(ABT_pool p, ABT_pool_context why)
{
    (void)p;
    (void)why;
    struct element* const e = take();
    return e != NULL ? e->thread : ABT_THREAD_NULL;
}
static size_t size_of(ABT_pool p)
{
    (void)p;
    size_t size = 0;
    pthread_mutex_lock(&lock);
    for (const struct element* e = top; e != NULL; e = e->below) {
        ++size;
    }
    pthread_mutex_unlock(&lock);
    return size;
}
static ABT_bool is_empty(ABT_pool p)
{
    return size_of(p) == 0 ? ABT_TRUE : ABT_FALSE;
}

static void yields(void* argument)
{
    for (int i = 0; i < 20; ++i) {
        OK(ABT_self_yield());
    }
    count(argument);
}

static size_t in_one_call;
static void push_many(ABT_pool p, const ABT_unit* pushed, size_t count, ABT_pool_context why)
{
    in_one_call = count;
    for (size_t i = 0; i < count; ++i) {
        push_newer(p, pushed[i], why);
    }
}
static void pop_many(ABT_pool p, ABT_thread* popped, size_t room, size_t* count,
                     ABT_pool_context why)
{
    for (*count = 0; *count < room; ++*count) {
        popped[*count] = pop_newer(p, why);
        if (popped[*count] == ABT_THREAD_NULL) {
            break;
        }
    }
}

/* A unit that yields is in its pool when the next one is chosen: of a stack it is the next one. */
static char order[32];
static int noted;
static void notes(void* argument)
{
    for (int i = 0; i < 8; ++i) {
        order[noted++] = *(const char*)argument;
        OK(ABT_self_yield());
    }
}
static void yields_to_itself(void)
{
    ABT_pool p;
    ABT_pool_user_def def;
    ABT_xstream x;
    ABT_thread t[2];
    OK(ABT_pool_user_def_create(make_unit_newer, free_unit_newer, is_empty, pop_newer, push_newer,
                                &def));
    OK(ABT_pool_create(def, ABT_POOL_CONFIG_NULL, &p));
    OK(ABT_thread_create(p, notes, "b", ABT_THREAD_ATTR_NULL, &t[0]));
    OK(ABT_thread_create(p, notes, "a", ABT_THREAD_ATTR_NULL, &t[1]));
    OK(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, &p, ABT_SCHED_CONFIG_NULL, &x));
    for (int i = 0; i < 2; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    OK(ABT_xstream_free(&x));
    CHECK(strcmp(order, "aaaaaaaabbbbbbbb") == 0);
    OK(ABT_pool_free(&p));
    OK(ABT_pool_user_def_free(&def));
}

/* What is pushed at once comes at once. */
static void of_the_user_at_once(void)
{
    ABT_pool p;
    ABT_pool_user_def def;
    ABT_thread t[5], popped[6];
    size_t n;
    ran = 0;
    OK(ABT_pool_user_def_create(make_unit_newer, free_unit_newer, is_empty, pop_newer, push_newer,
                                &def));
    OK(ABT_pool_create(def, ABT_POOL_CONFIG_NULL, &p));
    CHECK(ABT_pool_push_threads(p, popped, 0) == ABT_ERR_POOL);
    CHECK(ABT_pool_pop_threads(p, popped, 6, &n) == ABT_ERR_POOL);
    OK(ABT_pool_free(&p));
    OK(ABT_pool_user_def_set_push_many(def, push_many));
    OK(ABT_pool_user_def_set_pop_many(def, pop_many));
    OK(ABT_pool_create(def, ABT_POOL_CONFIG_NULL, &p));
    for (int i = 0; i < 5; ++i) {
        OK(ABT_thread_create(p, count, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    OK(ABT_pool_pop_threads(p, popped, 6, &n));
    CHECK(n == 5);
    popped[5] = popped[2];
    popped[2] = ABT_THREAD_NULL; /* is left out */
    OK(ABT_pool_push_threads(p, popped, 6));
    CHECK(in_one_call == 5);
    OK(ABT_pool_pop_threads(p, popped, 6, &n));
    CHECK(n == 5);
    for (size_t i = 0; i < n; ++i) {
        OK(ABT_self_schedule(popped[i], p));
    }
    for (int i = 0; i < 5; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    CHECK(ran == 5 && units == 0);
    OK(ABT_pool_free(&p));
    OK(ABT_pool_user_def_free(&def));
}

/* The older form has no functions for many units, but is given and asked for them all the same. It
   is not told to remove what it has not. */
static int removed;
static ABT_bool is_in_pool(ABT_unit u)
{
    ABT_bool found = ABT_FALSE;
    pthread_mutex_lock(&lock);
    for (const struct element* e = top; e != NULL; e = e->below) {
        found = (ABT_unit)e == u ? ABT_TRUE : found;
    }
    pthread_mutex_unlock(&lock);
    return found;
}
static int remove_unit(ABT_pool p, ABT_unit u)
{
    (void)p;
    int error = ABT_ERR_POOL;
    pthread_mutex_lock(&lock);
    for (struct element** at = &top; *at != NULL; at = &(*at)->below) {
        if ((ABT_unit)*at == u) {
            *at = (*at)->below;
            error = ABT_SUCCESS;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    CHECK(error == ABT_SUCCESS);
    ++removed;
    return error;
}
static void older_at_once(void)
{
    ABT_pool p;
    ABT_thread t[4], popped[4];
    size_t n;
    ABT_pool_def def = {.access = ABT_POOL_ACCESS_MPMC,
                        .u_create_from_thread = make_unit,
                        .u_free = free_unit,
                        .u_is_in_pool = is_in_pool,
                        .p_get_size = size_of,
                        .p_push = push_unit,
                        .p_pop = pop_unit,
                        .p_remove = remove_unit};
    ran = removed = 0;
    OK(ABT_pool_create(&def, ABT_POOL_CONFIG_NULL, &p));
    for (int i = 0; i < 4; ++i) {
        OK(ABT_thread_create(p, count, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    OK(ABT_pool_pop_threads(p, popped, 4, &n));
    CHECK(n == 4 && popped[0] == t[3]);
    OK(ABT_thread_yield_to(popped[0])); /* it is not there */
    CHECK(ran == 0 && removed == 0);
    popped[3] = ABT_THREAD_NULL;
    OK(ABT_pool_push_threads(p, popped, 4));
    OK(ABT_pool_get_size(p, &n));
    CHECK(n == 3);
    OK(ABT_thread_yield_to(popped[1]));
    CHECK(ran == 1 && removed == 1);
    OK(ABT_pool_pop_threads(p, popped, 4, &n));
    CHECK(n == 2);
    OK(ABT_self_schedule(popped[0], p));
    OK(ABT_self_schedule(popped[1], p));
    OK(ABT_self_schedule(t[0], p));
    for (int i = 0; i < 4; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    CHECK(ran == 4 && units == 0);
    OK(ABT_pool_free(&p));
}

static void of_the_user(int newer)
{
    ABT_pool p;
    ABT_xstream x;
    ABT_thread t[20];
    ABT_unit unit;
    size_t size;
    ran = 0;
    if (newer) {
        ABT_pool_user_def def;
        OK(ABT_pool_user_def_create(make_unit_newer, free_unit_newer, is_empty, pop_newer,
                                    push_newer, &def));
        OK(ABT_pool_create(def, ABT_POOL_CONFIG_NULL, &p));
        CHECK(ABT_pool_get_size(p, &size) == ABT_ERR_POOL);
        OK(ABT_pool_user_def_set_get_size(def, size_of));
        OK(ABT_pool_free(&p));
        OK(ABT_pool_create(def, ABT_POOL_CONFIG_NULL, &p));
        OK(ABT_pool_user_def_free(&def));
    } else {
        ABT_pool_def def = {.access = ABT_POOL_ACCESS_MPMC,
                            .u_create_from_thread = make_unit,
                            .u_free = free_unit,
                            .p_get_size = size_of,
                            .p_push = push_unit,
                            .p_pop = pop_unit};
        OK(ABT_pool_create(&def, ABT_POOL_CONFIG_NULL, &p));
    }
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_create(p, yields, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    OK(ABT_pool_get_size(p, &size));
    CHECK(size == 20 && units == 20);
    OK(ABT_thread_get_unit(t[0], &unit));
    ABT_thread found;
    OK(ABT_unit_get_thread(unit, &found));
    CHECK(found == t[0] && ((struct element*)unit)->thread == t[0]);
    OK(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, &p, ABT_SCHED_CONFIG_NULL, &x));
    for (int i = 0; i < 20; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    CHECK(ran == 20 && units == 0);
    OK(ABT_xstream_free(&x));
    OK(ABT_pool_free(&p));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    of_the_user(0);
    of_the_user(1);
    yields_to_itself();
    of_the_user_at_once();
    older_at_once();
    end();
    return 0;
}
