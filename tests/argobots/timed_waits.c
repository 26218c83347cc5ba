/* Waits for conditions whose limits have passed already, or pass while the waiter joins the others,
   against threads that lock, signal, and make the conditions anew. */
#include "check.h"

#include <limits.h>
#include <stdatomic.h>
#include <time.h>

enum { each = 4, rounds = 1000, groups = 3 };

static struct {
    ABT_mutex mutex;
    ABT_cond cond;
    int inside;
} group[groups];
static atomic_int ran;

static struct timespec in_nanoseconds(long ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ns;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        ++until.tv_sec;
    }
    return until;
}

static void lock(int g)
{
    OK(ABT_mutex_lock(group[g].mutex));
    CHECK(++group[g].inside == 1);
}
static void unlock(int g)
{
    CHECK(--group[g].inside == 0);
    OK(ABT_mutex_unlock(group[g].mutex));
}

static void waits(void* number)
{
    unsigned random = (unsigned)(size_t)number * 2654435761u + 1;
    for (int i = 0; i < rounds; ++i) {
        random = random * 1664525u + 1013904223u;
        const int g = (int)(random >> 8) % groups;
        lock(g);
        const struct timespec until = in_nanoseconds((long)(random >> 12) % 51000);
        --group[g].inside;
        const int status = ABT_cond_timedwait(group[g].cond, group[g].mutex, &until);
        CHECK(++group[g].inside == 1);
        CHECK(status == ABT_SUCCESS || status == ABT_ERR_COND_TIMEDOUT);
        unlock(g);
    }
    ++ran;
}
static void signals(void* number)
{
    for (int i = 0; i < rounds; ++i) {
        const int g = (i + (int)(size_t)number) % groups;
        lock(g);
        OK(i % 7 == 0 ? ABT_cond_broadcast(group[g].cond) : ABT_cond_signal(group[g].cond));
        unlock(g);
        if (i % 3 == 0) {
            OK(ABT_self_yield());
        }
    }
    ++ran;
}
static void makes_anew(void* number)
{
    for (int i = 0; i < rounds; ++i) {
        const int g = (i + (int)(size_t)number) % groups;
        lock(g);
        OK(ABT_cond_broadcast(group[g].cond));
        OK(ABT_cond_free(&group[g].cond));
        OK(ABT_cond_create(&group[g].cond));
        unlock(g);
        OK(ABT_self_yield());
    }
    ++ran;
}

static void against_each_other(void)
{
    void (*const bodies[each])(void*) = {waits, signals, waits, makes_anew};
    const int all = streams * each;
    ABT_thread* const t = malloc((size_t)all * sizeof *t);
    for (int g = 0; g < groups; ++g) {
        OK(ABT_mutex_create(&group[g].mutex));
        OK(ABT_cond_create(&group[g].cond));
    }
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_create(pool[i / each], bodies[i % each], (void*)(size_t)i,
                             ABT_THREAD_ATTR_NULL, &t[i]));
    }
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    CHECK(ran == all);
    for (int g = 0; g < groups; ++g) {
        OK(ABT_cond_free(&group[g].cond));
        OK(ABT_mutex_free(&group[g].mutex));
    }
    free(t);
}

/* A waiter whose limit has passed unlocks the mutex for those of its own stream, too, although it
   tries again at once. */
static atomic_int locked;
static void locks(void* argument)
{
    (void)argument;
    OK(ABT_mutex_lock(group[0].mutex));
    ++locked;
    OK(ABT_mutex_unlock(group[0].mutex));
}
static void lets_others_lock(void)
{
    enum { others = 5, most = 1000 };
    const struct timespec past = {.tv_sec = LONG_MIN};
    ABT_thread t[others];
    OK(ABT_mutex_create(&group[0].mutex));
    OK(ABT_cond_create(&group[0].cond));
    OK(ABT_mutex_lock(group[0].mutex));
    for (int i = 0; i < others; ++i) {
        OK(ABT_thread_create(pool[0], locks, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
    }
    for (int i = 0; i < most && locked != others; ++i) {
        CHECK(ABT_cond_timedwait(group[0].cond, group[0].mutex, &past) == ABT_ERR_COND_TIMEDOUT);
    }
    CHECK(locked == others);
    OK(ABT_mutex_unlock(group[0].mutex));
    for (int i = 0; i < others; ++i) {
        OK(ABT_thread_free(&t[i]));
    }
    OK(ABT_cond_free(&group[0].cond));
    OK(ABT_mutex_free(&group[0].mutex));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    lets_others_lock();
    against_each_other();
    end();
    return 0;
}
