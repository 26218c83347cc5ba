/* Waits that end while something else is under way: one with a time limit that is cancelled, and
   waits on memory that is used again as soon as they have ended. */
#include "check.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int stage;
static atomic_int ran;
static ABT_mutex mutex;
static ABT_cond cond;

static void await_stage(int wanted)
{
    while (stage < wanted) {
        usleep(100);
    }
}

static struct timespec in_milliseconds(long n)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += n * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* A unit that is cancelled while it waits gets to the end of its wait, and has the mutex again; the
   next yield ends it. What its time limit was to do is not done to others' memory. */
static void waits_with_limit(void* argument)
{
    const struct timespec until = in_milliseconds(100);
    (void)argument;
    OK(ABT_mutex_lock(mutex));
    stage = 1;
    const int how = ABT_cond_timedwait(cond, mutex, &until);
    CHECK(how == ABT_SUCCESS || how == ABT_ERR_COND_TIMEDOUT);
    ++ran;
    OK(ABT_mutex_unlock(mutex));
    for (;;) {
        OK(ABT_self_yield());
    }
}

static void covers_its_stack(void* argument)
{
    volatile char frame[4096];
    memset((char*)frame, 0xff, sizeof frame);
    (void)argument;
    OK(ABT_self_yield());
    CHECK(frame[100] == (char)0xff);
}

static void cancelled_waits(void)
{
    enum { all = 20 };
    ABT_thread t[all], others[all];
    OK(ABT_mutex_create(&mutex));
    OK(ABT_cond_create(&cond));
    ran = 0;
    for (int i = 0; i < all; ++i) {
        stage = 0;
        OK(ABT_thread_create(pool[1], waits_with_limit, NULL, ABT_THREAD_ATTR_NULL, &t[i]));
        await_stage(1);
        OK(ABT_mutex_lock(mutex)); /* it waits now */
        OK(ABT_thread_cancel(t[i]));
        OK(ABT_mutex_unlock(mutex));
        OK(ABT_cond_signal(cond));
    }
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_free(&t[i]));
        OK(ABT_thread_create(pool[1], covers_its_stack, NULL, ABT_THREAD_ATTR_NULL, &others[i]));
    }
    CHECK(ran == all);
    usleep(150000);
    for (int i = 0; i < all; ++i) {
        OK(ABT_thread_free(&others[i]));
    }
    OK(ABT_cond_free(&cond));
    OK(ABT_mutex_free(&mutex));
}

/* An eventual on the stack is used for something else as soon as it is known to be set. */
static _Atomic(ABT_eventual_memory*) posted;
static void sets_eventuals(void* argument)
{
    const int all = *(int*)argument;
    for (int i = 0; i < all; ++i) {
        ABT_eventual_memory* e;
        while ((e = atomic_exchange(&posted, NULL)) == NULL) {
            OK(ABT_self_yield());
        }
        OK(ABT_eventual_set(ABT_EVENTUAL_MEMORY_GET_HANDLE(e), NULL, 0));
    }
}
static void eventuals_on_the_stack(void)
{
    int all = 2000;
    ABT_thread setter;
    OK(ABT_thread_create(pool[1], sets_eventuals, &all, ABT_THREAD_ATTR_NULL, &setter));
    for (int i = 0; i < all; ++i) {
        ABT_eventual_memory e = ABT_EVENTUAL_INITIALIZER, filled;
        ABT_bool ready = ABT_FALSE;
        memset(&filled, 0xff, sizeof filled);
        posted = &e;
        if (i % 2 == 0) {
            OK(ABT_eventual_wait(ABT_EVENTUAL_MEMORY_GET_HANDLE(&e), NULL));
        } else {
            while (ready == ABT_FALSE) {
                OK(ABT_eventual_test(ABT_EVENTUAL_MEMORY_GET_HANDLE(&e), NULL, &ready));
            }
        }
        memset(&e, 0xff, sizeof e);
        for (volatile int n = 0; n < 50; ++n) {
        }
        CHECK(memcmp(&e, &filled, sizeof e) == 0);
    }
    OK(ABT_thread_free(&setter));
}

/* The memory of a condition may be used again when its waiter has been signalled, also if the
   waiter's time passes before it goes on: here another unit keeps its stream until then. */
static ABT_cond_memory short_lived = ABT_COND_INITIALIZER;

static void is_signalled(void* argument)
{
    const struct timespec until = in_milliseconds(300);
    (void)argument;
    OK(ABT_mutex_lock(mutex));
    stage = 1;
    const int how = ABT_cond_timedwait(ABT_COND_MEMORY_GET_HANDLE(&short_lived), mutex, &until);
    OK(ABT_mutex_unlock(mutex));
    CHECK(how == ABT_SUCCESS || how == ABT_ERR_COND_TIMEDOUT); /* the machine may be slow */
}
static void keeps_the_stream(void* argument)
{
    (void)argument;
    stage = 2;
    await_stage(3);
}
static void conditions_of_signalled_waiters(void)
{
    ABT_thread signalled, keeper;
    ABT_cond_memory filled;
    OK(ABT_mutex_create(&mutex));
    stage = 0;
    OK(ABT_thread_create(pool[1], is_signalled, NULL, ABT_THREAD_ATTR_NULL, &signalled));
    await_stage(1);
    OK(ABT_thread_create(pool[1], keeps_the_stream, NULL, ABT_THREAD_ATTR_NULL, &keeper));
    await_stage(2);
    OK(ABT_mutex_lock(mutex));
    OK(ABT_cond_signal(ABT_COND_MEMORY_GET_HANDLE(&short_lived)));
    OK(ABT_mutex_unlock(mutex));
    memset(&short_lived, 0xff, sizeof short_lived);
    memset(&filled, 0xff, sizeof filled);
    usleep(500000); /* longer than its limit */
    CHECK(memcmp(&short_lived, &filled, sizeof filled) == 0);
    stage = 3;
    OK(ABT_thread_free(&keeper));
    OK(ABT_thread_free(&signalled));
    /* Time limits are still kept. */
    const struct timespec until = in_milliseconds(1);
    ABT_cond_memory another = ABT_COND_INITIALIZER;
    OK(ABT_mutex_lock(mutex));
    CHECK(ABT_cond_timedwait(ABT_COND_MEMORY_GET_HANDLE(&another), mutex, &until) ==
          ABT_ERR_COND_TIMEDOUT);
    OK(ABT_mutex_unlock(mutex));
    OK(ABT_mutex_free(&mutex));
}

int main(int argc, char** argv)
{
    begin(argc, argv);
    conditions_of_signalled_waiters();
    cancelled_waits();
    eventuals_on_the_stack();
    end();
    return 0;
}
