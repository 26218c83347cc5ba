/* Mutexes, conditions and reader-writer locks, by ULTs on all streams and by the program's own
   thread. */
#include "check.h"

#include <limits.h>
#include <stdatomic.h>
#include <time.h>

enum { each = 20, rounds = 50 };

static atomic_int inside;
static atomic_int ran;
static int plain;
static ABT_mutex mutex;
static ABT_cond cond;
static ABT_rwlock rwlock;
static ABT_mutex_memory static_mutex = ABT_RECURSIVE_MUTEX_INITIALIZER;
static ABT_cond_memory static_cond = ABT_COND_INITIALIZER;

static void excludes(void* argument)
{
    (void)argument;
    int (*const locks[])(ABT_mutex) = {ABT_mutex_lock, ABT_mutex_lock_low, ABT_mutex_lock_high};
    int (*const unlocks[])(ABT_mutex) = {ABT_mutex_unlock, ABT_mutex_unlock_se,
                                         ABT_mutex_unlock_de};
    for (int i = 0; i < rounds; ++i) {
        OK(locks[i % 3](mutex));
        CHECK(++inside == 1);
        CHECK(ABT_mutex_trylock(mutex) == ABT_ERR_MUTEX_LOCKED);
        ++plain;
        if (i % 5 == 0) {
            OK(ABT_self_yield());
        }
        --inside;
        OK(unlocks[i % 3](mutex));
        ABT_mutex const again = ABT_MUTEX_MEMORY_GET_HANDLE(&static_mutex);
        OK(ABT_mutex_lock(again));
        OK(ABT_mutex_lock(again));
        OK(ABT_mutex_trylock(again));
        OK(ABT_mutex_unlock(again));
        OK(ABT_mutex_unlock(again));
        OK(ABT_mutex_unlock(again));
    }
}

static void mutexes(void)
{
    ABT_bool same;
    ABT_mutex_attr a;
    OK(ABT_mutex_create(&mutex));
    everywhere(each, excludes, NULL);
    CHECK(plain == streams * each * rounds);
    OK(ABT_mutex_equal(mutex, mutex, &same));
    CHECK(same == ABT_TRUE);
    OK(ABT_mutex_equal(mutex, ABT_MUTEX_MEMORY_GET_HANDLE(&static_mutex), &same));
    CHECK(same == ABT_FALSE);
    OK(ABT_mutex_get_attr(ABT_MUTEX_MEMORY_GET_HANDLE(&static_mutex), &a));
    OK(ABT_mutex_attr_get_recursive(a, &same));
    CHECK(same == ABT_TRUE);
    OK(ABT_mutex_attr_free(&a));
}

static void waits_for_turn(void* argument)
{
    (void)argument;
    OK(ABT_mutex_lock(mutex));
    ++ran;
    while (plain == 0) {
        OK(ABT_cond_wait(cond, mutex));
    }
    OK(ABT_mutex_unlock(mutex));
}

static void lets_them(void)
{
    while (ran != streams * each) {
        OK(ABT_self_yield());
    }
    OK(ABT_mutex_lock(mutex));
    plain = 1;
    OK(ABT_cond_broadcast(cond));
    OK(ABT_mutex_unlock(mutex));
}

/* A tasklet may wait with a limit, but not without. */
static void tasklet_waits(void* until)
{
    OK(ABT_mutex_lock(mutex));
    CHECK(ABT_cond_wait(cond, mutex) == ABT_ERR_COND);
    CHECK(ABT_cond_timedwait(cond, mutex, until) == ABT_ERR_COND_TIMEDOUT);
    OK(ABT_mutex_unlock(mutex));
    ++ran;
}

static void conditions(void)
{
    plain = ran = 0;
    OK(ABT_cond_create(&cond));
    everywhere(each, waits_for_turn, lets_them);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        ++until.tv_sec;
    }
    OK(ABT_mutex_lock(mutex));
    CHECK(ABT_cond_timedwait(cond, mutex, &until) == ABT_ERR_COND_TIMEDOUT);
    CHECK(ABT_mutex_trylock(mutex) == ABT_ERR_MUTEX_LOCKED); /* it has it again */
    CHECK(ABT_cond_timedwait(ABT_COND_MEMORY_GET_HANDLE(&static_cond), mutex, &until) ==
          ABT_ERR_COND_TIMEDOUT);
    OK(ABT_mutex_unlock(mutex));
    ABT_task t;
    ran = 0;
    OK(ABT_task_create(pool[streams - 1], tasklet_waits, &until, &t));
    OK(ABT_task_free(&t));
    CHECK(ran == 1);
    OK(ABT_cond_free(&cond));
    OK(ABT_mutex_free(&mutex));
    ABT_eventual eventual;
    OK(ABT_eventual_create(0, &eventual));
    CHECK(ABT_eventual_timedwait(eventual, NULL, &until) == ABT_ERR_COND_TIMEDOUT);
    OK(ABT_eventual_free(&eventual));
}

/* A time limit of LONG_MAX seconds never expires; all waiters of a condition use one mutex. */
static void awaits_for_good(void* argument)
{
    (void)argument;
    const struct timespec never = {.tv_sec = LONG_MAX};
    OK(ABT_mutex_lock(mutex));
    inside = 1;
    OK(ABT_cond_timedwait(cond, mutex, &never));
    OK(ABT_mutex_unlock(mutex));
}
static void far_deadlines(void)
{
    ABT_thread t;
    ABT_mutex other;
    const struct timespec past = {.tv_sec = LONG_MIN};
    OK(ABT_mutex_create(&mutex));
    OK(ABT_mutex_create(&other));
    OK(ABT_cond_create(&cond));
    OK(ABT_mutex_lock(mutex));
    CHECK(ABT_cond_timedwait(cond, mutex, &past) == ABT_ERR_COND_TIMEDOUT);
    OK(ABT_mutex_unlock(mutex));
    inside = 0;
    OK(ABT_thread_create(pool[streams - 1], awaits_for_good, NULL, ABT_THREAD_ATTR_NULL, &t));
    while (inside == 0) {
        OK(ABT_self_yield());
    }
    OK(ABT_mutex_lock(mutex)); /* it waits by now */
    OK(ABT_mutex_lock(other));
    CHECK(ABT_cond_wait(cond, other) == ABT_ERR_INV_MUTEX);
    CHECK(ABT_cond_timedwait(cond, other, &past) == ABT_ERR_INV_MUTEX);
    OK(ABT_mutex_unlock(other));
    OK(ABT_cond_signal(cond));
    OK(ABT_mutex_unlock(mutex));
    OK(ABT_thread_free(&t));
    OK(ABT_cond_free(&cond));
    OK(ABT_mutex_free(&mutex));
    OK(ABT_mutex_free(&other));
    inside = 0;
}

static void reads_or_writes(void* argument)
{
    (void)argument;
    for (int i = 0; i < rounds; ++i) {
        if (i % 4 == 0) {
            OK(ABT_rwlock_wrlock(rwlock));
            ++plain;
        } else {
            OK(ABT_rwlock_rdlock(rwlock));
            const int seen = plain;
            OK(ABT_self_yield());
            CHECK(plain == seen); /* nobody writes while somebody reads */
        }
        OK(ABT_rwlock_unlock(rwlock));
    }
}

static void rwlocks(void)
{
    plain = 0;
    OK(ABT_rwlock_create(&rwlock));
    everywhere(each, reads_or_writes, NULL);
    CHECK(plain == streams * each * ((rounds + 3) / 4));
    OK(ABT_rwlock_free(&rwlock));
}

/* A reader waits for a writer that holds the lock, not for one that waits for it, because a reader
   inside may wait for the new one. */
static void writes_once(void* argument)
{
    (void)argument;
    ++inside;
    OK(ABT_rwlock_wrlock(rwlock));
    ++plain;
    OK(ABT_rwlock_unlock(rwlock));
}
static void reads_once(void* argument)
{
    (void)argument;
    OK(ABT_rwlock_rdlock(rwlock));
    CHECK(plain == 0);
    OK(ABT_rwlock_unlock(rwlock));
}
static void readers_in_readers(void)
{
    ABT_thread waits, reads;
    plain = inside = 0;
    OK(ABT_rwlock_create(&rwlock));
    OK(ABT_rwlock_rdlock(rwlock));
    OK(ABT_thread_create(pool[0], writes_once, NULL, ABT_THREAD_ATTR_NULL, &waits));
    ABT_thread_state state = ABT_THREAD_STATE_READY;
    while (inside == 0 || state != ABT_THREAD_STATE_BLOCKED) {
        OK(ABT_self_yield());
        OK(ABT_thread_get_state(waits, &state));
    }
    OK(ABT_thread_create(pool[streams - 1], reads_once, NULL, ABT_THREAD_ATTR_NULL, &reads));
    OK(ABT_thread_free(&reads));
    OK(ABT_rwlock_rdlock(rwlock));
    OK(ABT_rwlock_unlock(rwlock));
    OK(ABT_rwlock_unlock(rwlock));
    OK(ABT_thread_free(&waits));
    CHECK(plain == 1);
    OK(ABT_rwlock_free(&rwlock));
    inside = 0;
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    mutexes();
    conditions();
    far_deadlines();
    rwlocks();
    readers_in_readers();
    end();
    return 0;
}
