// Members that hold a lock of the C library's while they call sched_yield, so that others, which
// the same OS thread may carry, find it taken. Arguments: which lock, members.
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { rounds = 200, yields = 20 };

static pthread_mutex_t mutex, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long count;  // under the lock
static atomic_int inside, wrong;

static void make_mutex(int type)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

// The section: nobody else is in it, however often who is in it gives way.
static void section(void)
{
    if (atomic_fetch_add(&inside, 1) != 0)
        atomic_fetch_add(&wrong, 1);
    const long before = count;
    for (int i = 0; i < yields; i++)
        sched_yield();
    count = before + 1;
    atomic_fetch_sub(&inside, 1);
}

static void expect(int got, int wanted)
{
    if (got != wanted)
        atomic_fetch_add(&wrong, 1);
}

static void with_mutex(void)
{
    expect(pthread_mutex_lock(&mutex), 0);
    section();
    expect(pthread_mutex_unlock(&mutex), 0);
}

static void twice(void)
{
    expect(pthread_mutex_lock(&mutex), 0);
    sched_yield();
    expect(pthread_mutex_lock(&mutex), 0);
    section();
    expect(pthread_mutex_unlock(&mutex), 0);
    sched_yield();
    expect(pthread_mutex_unlock(&mutex), 0);
}

static void checked(void)
{
    expect(pthread_mutex_lock(&mutex), 0);
    expect(pthread_mutex_lock(&mutex), EDEADLK);
    section();
    expect(pthread_mutex_lock(&mutex), EDEADLK);
    expect(pthread_mutex_unlock(&mutex), 0);
    expect(pthread_mutex_unlock(&mutex), EPERM);
}

static void both(void)
{
    pthread_mutex_lock(&mutex);
    sched_yield();
    pthread_mutex_lock(&other);
    section();
    pthread_mutex_unlock(&mutex);
    sched_yield();
    pthread_mutex_unlock(&other);
}

// Waits for another member, during which the mutex is free without pthread_mutex_unlock having been
// called. The last member that is left has nobody to wait for.
static void with_condition(void)
{
    static int turn, done;
    static _Thread_local int passed;
    pthread_mutex_lock(&mutex);
    section();
    const int mine = ++turn;
    if (++passed == rounds)
        done++;
    pthread_cond_broadcast(&changed);
    while (passed < rounds && turn == mine && done < omp_get_num_threads() - 1)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

// Holds the mutex nearly all the time, and gives way only then: until everybody has had some turns.
static void turns(void)
{
    static _Thread_local int mine;
    static int enough;
    for (int got = 0; !got;) {
        pthread_mutex_lock(&mutex);
        sched_yield();
        if (++mine == 50)
            enough++;
        got = mine >= 50 && enough >= omp_get_num_threads();
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
}

// A thread of the program's own does what the holder waits for, as in libraries with servers.
static atomic_int asked, answered;

static void* serve(void* unused)
{
    while (1) {
        const int now = atomic_load(&asked);
        if (now < 0)
            return unused;
        atomic_store(&answered, now);
        sched_yield();
    }
}

static void with_server(void)
{
    expect(pthread_mutex_lock(&mutex), 0);
    const int now = atomic_fetch_add(&asked, 1) + 1;
    while (atomic_load(&answered) != now)
        sched_yield();
    count++;
    expect(pthread_mutex_unlock(&mutex), 0);
}

int main(int argc, char** arguments)
{
    static const struct {
        const char* name;
        int type;
        void (*once)(void);
    } all[] = {{"mutex", PTHREAD_MUTEX_NORMAL, with_mutex},
               {"adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, with_mutex},
               {"recursive", PTHREAD_MUTEX_RECURSIVE, twice},
               {"checked", PTHREAD_MUTEX_ERRORCHECK, checked},
               {"both", PTHREAD_MUTEX_NORMAL, both},
               {"condition", PTHREAD_MUTEX_NORMAL, with_condition},
               {"turns", PTHREAD_MUTEX_NORMAL, turns},
               {"server", PTHREAD_MUTEX_NORMAL, with_server}};
    const int members = argc > 2 ? atoi(arguments[2]) : 8;
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, arguments[1]) != 0)
            continue;
        make_mutex(all[i].type);
        pthread_t server;
        pthread_create(&server, NULL, serve, NULL);
#pragma omp parallel num_threads(members)
        for (int round = 0; round < rounds; round++)
            all[i].once();
        atomic_store(&asked, -1);
        pthread_join(server, NULL);
        if (atomic_load(&wrong) != 0 || count != (long)members * rounds) {
            printf("%d wrong, %ld sections\n", atomic_load(&wrong), count);
            return 1;
        }
        puts("good");
        return 0;
    }
    return 2;
}
