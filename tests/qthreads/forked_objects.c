/* Children of forks that were made while other threads were in the middle of everything: what the
   library keeps, and its containers, are complete and free. */
#include "../forked_child.h"
#include "check.h"

#include <pthread.h>
#include <qthread/dictionary.h>
#include <qthread/qarray.h>
#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <qthread/qpool.h>
#include <qthread/tls.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static qpool* items;
static qdqueue_t* distributed;
static qlfqueue_t* queue;
static qt_dictionary* words;
static syncvar_t variable = SYNCVAR_STATIC_INITIALIZER;
static atomic_bool over;

static int equal(void* a, void* b)
{
    return a == b;
}
static int hash(void* a)
{
    return (int)(intptr_t)a;
}

static void keys(void)
{
    qthread_key_t k;
    CHECK(qthread_key_create(&k, NULL) == 0 && qthread_key_delete(k) == 0);
}
static void locks(void)
{
    static _Thread_local aligned_t w;
    CHECK(qthread_lock_init(&w, 0) == 0 && qthread_lock(&w) == 0 && qthread_unlock(&w) == 0);
    CHECK(qthread_lock_destroy(&w) == 0);
}
static void pool(void)
{
    enum { many = 50 }; /* more than a worker keeps */
    void** taken[many];
    for (int i = 0; i < many; ++i) {
        taken[i] = qpool_alloc(items);
        CHECK(taken[i] != NULL);
        *taken[i] = taken[i];
    }
    for (int i = 0; i < many; ++i) {
        CHECK(*taken[i] == taken[i]);
        *taken[i] = NULL; /* nobody else has it */
    }
    for (int i = 0; i < many; ++i) {
        qpool_free(items, taken[i]);
    }
}
static void queues(void)
{
    CHECK(qdqueue_enqueue(distributed, items) == 0 && qlfqueue_enqueue(queue, items) == 0);
    qdqueue_dequeue(distributed);
    qlfqueue_dequeue(queue);
}
static void dictionary(void)
{
    static atomic_long next;
    void* const key = (void*)(++next % 100 + 1);
    CHECK(qt_dictionary_put(words, key, key) == key);
    qt_dictionary_delete(words, key);
}
static void syncvars(void)
{
    uint64_t value;
    CHECK(qthread_syncvar_writeF_const(&variable, 3) == 0);
    CHECK(qthread_syncvar_readFF(&value, &variable) == 0 && value == 3);
}
static void arrays(void)
{
    qarray* const a = qarray_create_configured(100, 8, DIST_LEAST, 0, 1);
    CHECK(a != NULL);
    qarray_destroy(a);
}

static void (*const uses[])(void) = {keys, locks, pool, queues, dictionary, syncvars, arrays};
static void (*use)(void);

static void* goes_on(void* unused)
{
    while (!over) {
        use();
    }
    return unused;
}

static void children(void)
{
    enum { threads = 2, forks = 30 };
    pthread_t t[threads];
    over = 0;
    for (int i = 0; i < threads; ++i) {
        CHECK(pthread_create(&t[i], NULL, goes_on, NULL) == 0);
    }
    for (int i = 0; i < forks; ++i) {
        CHECK(a_child_can(use));
        usleep(100);
    }
    over = 1;
    for (int i = 0; i < threads; ++i) {
        CHECK(pthread_join(t[i], NULL) == 0);
    }
}

/* With QT_STACK_SIZE=16777216, and before there is any stack. */
static void stacks(void)
{
    CHECK(qthread_readstate(STACK_SIZE) >= 16777216);
    const pid_t child = fork();
    if (child == 0) {
        _exit(qthread_readstate(STACK_SIZE) >= 16777216 ? 0 : 1);
    }
    CHECK(ended_well(child));
}

int main(int argc, char** argv)
{
    CHECK(qthread_initialize() == 0);
    if (argc > 1 && strcmp(argv[1], "stacks") == 0) {
        stacks();
        return 0;
    }
    items = qpool_create(64);
    distributed = qdqueue_create();
    queue = qlfqueue_create();
    words = qt_dictionary_create(equal, hash, NULL);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i) {
        use = uses[i];
        children();
    }
    puts("good");
    return 0;
}
