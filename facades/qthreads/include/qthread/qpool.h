/* Of the Qthreads interface: memory for items of one size. */
#ifndef QTHREAD_QPOOL_H
#define QTHREAD_QPOOL_H

#include "macros.h"

#include <stddef.h>

Q_STARTCXX

typedef struct qt_mpool_s qpool;
qpool* qpool_create(size_t item_size);
qpool* qpool_create_aligned(size_t item_size, size_t alignment);
void qpool_destroy(qpool* pool);
void* qpool_alloc(qpool* pool);
void qpool_free(qpool* pool, void* mem);

Q_ENDCXX

#endif
