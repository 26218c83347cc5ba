/* A process that gets no threads: its only one runs the qthreads, also those that may block. */
#include <errno.h>
#include <pthread.h>
#include <qthread/io.h>
#include <qthread/qthread.h>
#include <stdio.h>

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument)
{
    (void)thread;
    (void)attributes;
    (void)run;
    (void)argument;
    return EAGAIN;
}

static aligned_t blocks(void* unused)
{
    (void)unused;
    qt_begin_blocking_action();
    const int has_none = qthread_shep() == NO_SHEPHERD;
    qt_end_blocking_action();
    return has_none && qthread_shep() != NO_SHEPHERD;
}

int main(void)
{
    if (qthread_initialize() != QTHREAD_SUCCESS) {
        puts("not initialized");
        return 1;
    }
    for (int i = 0; i < 10; ++i) {
        aligned_t right = 0;
        qthread_fork(blocks, NULL, &right);
        qthread_readFF(&right, &right);
        if (right != 1) {
            puts("it blocks its shepherd");
            return 1;
        }
    }
    puts("all right");
    return 0;
}
