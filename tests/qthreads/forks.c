/* The child of a fork has shepherds of its own, whoever forks and whatever other threads are doing
 * in the library at that moment; a lock of the library that one of them held is free in it. */
#define _DEFAULT_SOURCE
#include "../forked_child.h"
#include "check.h"

#include <pthread.h>
#include <qthread/qalloc.h>
#include <qthread/qarray.h>
#include <qthread/qthread.h>
#include <qthread/tls.h>
#include <stdatomic.h>
#include <unistd.h>

/* Exported by the stock library, but not declared. */
int hw_pool_init(uint32_t wanted);
void hw_pool_destroy(void);

enum { time_limit = 60, forks_of_each = 3, kinds = 5 };

static qthread_key_t kept;
static int value;
static atomic_int over, present_kind;

static aligned_t plus_one(void* argument)
{
    return *(int*)argument + 1;
}

static aligned_t spawns(void* unused)
{
    (void)unused;
    int n = 7;
    aligned_t result = 0;
    qthread_fork(plus_one, &n, &result);
    qthread_readFF(&result, &result);
    return result;
}

static int spawning_works(void)
{
    aligned_t results[20];
    for (int i = 0; i < 20; ++i)
        if (qthread_fork(spawns, NULL, &results[i]) != QTHREAD_SUCCESS)
            return 0;
    for (int i = 0; i < 20; ++i) {
        qthread_readFF(&results[i], &results[i]);
        if (results[i] != 8)
            return 0;
    }
    return 1;
}

/* Each takes one of the locks that the library has for the whole process. */
static void take_lock(int kind)
{
    static aligned_t words[kinds];
    qthread_key_t key;
    switch (kind) {
    case 0:
        if (qthread_key_create(&key, NULL) == 0)
            qthread_key_delete(key);
        break;
    case 1:
        qthread_lock_init(&words[kind], 0);
        qthread_lock_destroy(&words[kind]);
        break;
    case 2: qarray_destroy(qarray_create(10, sizeof(aligned_t))); break;
    case 3:
        hw_pool_init(2);
        hw_pool_destroy();
        break;
    default: qalloc_checkpoint();
    }
}

static void* take_locks(void* kind)
{
    while (present_kind == *(int*)kind)
        take_lock(*(int*)kind);
    return NULL;
}

static void* spawn_for_ever(void* unused)
{
    (void)unused;
    while (!over) {
        CHECK(spawning_works());
        usleep(200);
    }
    return NULL;
}

/* In a child: all of it, and the end of the library. */
static int all_works(int of_the_program)
{
    if (!spawning_works() || qthread_num_shepherds() == 0)
        return 2;
    if (of_the_program && (qthread_shep() != 0 || qthread_getspecific(kept) != &value))
        return 3;
    for (int kind = 0; kind < kinds; ++kind)
        take_lock(kind);
    /* And in a child of this one, which has used its shepherds. */
    const pid_t next = fork();
    if (next == 0) {
        alarm(time_limit);
        _exit(spawning_works() ? 0 : 4);
    }
    if (!ended_well(next))
        return 5;
    qthread_finalize();
    return 0;
}

static void* asks(void* unused)
{
    (void)unused;
    return qthread_num_shepherds() != 0 ? &value : NULL;
}

static void* keeps_spawning(void* unused)
{
    for (int i = 0; i < 100; ++i)
        if (!spawning_works())
            return NULL;
    return asks(unused);
}

/* Other threads of the child need the library first, or with this one. */
static int works_after_others(int waits, void* (*other)(void*))
{
    enum { others = 2 };
    pthread_t thread[others];
    void* good;
    for (int i = 0; i < others; ++i)
        if (pthread_create(&thread[i], NULL, other, NULL) != 0)
            return 10;
    for (int i = 0; waits && i < others; ++i)
        if (pthread_join(thread[i], &good) != 0 || good == NULL)
            return 11;
    if (qthread_getspecific(kept) != &value || qthread_id() != 1 || qthread_shep() != 0)
        return 12;
    if (!spawning_works() || qthread_id() != 1 || qthread_shep() != 0)
        return 13;
    for (int i = 0; !waits && i < others; ++i)
        if (pthread_join(thread[i], &good) != 0 || good == NULL)
            return 14;
    return all_works(1);
}

static aligned_t forks_itself(void* unused)
{
    (void)unused;
    const pid_t child = fork();
    if (child == 0) {
        alarm(time_limit);
        _exit(qthread_getspecific(kept) == NULL ? all_works(0) : 6);
    }
    return ended_well(child);
}

static void* forks_outside(void* unused)
{
    (void)unused;
    CHECK(forks_itself(NULL));
    return NULL;
}

static void fork_as_the_program(void)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(time_limit);
        _exit(all_works(1));
    }
    CHECK(ended_well(child));
}

static void fork_for_others(void)
{
    for (int way = 0; way < 4 * forks_of_each; ++way) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(time_limit);
            _exit(works_after_others(way % 2, way % 4 < 2 ? asks : keeps_spawning));
        }
        CHECK(ended_well(child));
    }
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    const qthread_shepherd_id_t shepherds = qthread_num_shepherds();
    CHECK(qthread_key_create(&kept, NULL) == 0 && qthread_setspecific(kept, &value) == 0);
    CHECK(spawning_works());
    fork_as_the_program();
    fork_for_others();
    aligned_t good = 0;
    CHECK(qthread_fork(forks_itself, NULL, &good) == QTHREAD_SUCCESS);
    qthread_readFF(&good, &good);
    CHECK(good == 1);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, forks_outside, NULL) == 0 &&
          pthread_join(thread, NULL) == 0);

    pthread_t spawner;
    CHECK(pthread_create(&spawner, NULL, spawn_for_ever, NULL) == 0);
    for (int kind = 0; kind < kinds; ++kind) {
        present_kind = kind;
        CHECK(pthread_create(&thread, NULL, take_locks, &kind) == 0);
        for (int i = 0; i < forks_of_each; ++i)
            fork_as_the_program();
        present_kind = kinds;
        pthread_join(thread, NULL);
    }
    over = 1;
    pthread_join(spawner, NULL);
    CHECK(qthread_num_shepherds() == shepherds && spawning_works());
    qthread_finalize();
    puts("all right");
    return 0;
}
