/* Of the Qthreads interface: values of a qthread by key. */
#ifndef QTHREAD_TLS_H
#define QTHREAD_TLS_H

#include "macros.h"

Q_STARTCXX

typedef void** qthread_key_t;
int qthread_key_create(qthread_key_t* key, void (*destructor)(void*));
int qthread_key_delete(qthread_key_t key);
void* qthread_getspecific(qthread_key_t key);
int qthread_setspecific(qthread_key_t key, const void* value);

Q_ENDCXX

#endif
