/* A library whose constructor waits for a thread that uses keys. */
#include "check.h"

#include <pthread.h>
#include <qthread/qthread.h>
#include <qthread/tls.h>

static qthread_key_t key;
static int ended;

static void end(void* value)
{
    ended += value == (void*)&key ? 1 : 0;
}

static void* use_key(void* unused)
{
    CHECK(qthread_getspecific(key) == NULL);
    CHECK(qthread_setspecific(key, (void*)&key) == QTHREAD_SUCCESS);
    CHECK(qthread_getspecific(key) == (void*)&key);
    return unused;
}

__attribute__((constructor)) static void start(void)
{
    pthread_t thread;
    CHECK(qthread_key_create(&key, end) == QTHREAD_SUCCESS);
    CHECK(pthread_create(&thread, NULL, use_key, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0 && ended == 1);
}
