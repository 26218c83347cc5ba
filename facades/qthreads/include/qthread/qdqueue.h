/* Of the Qthreads interface (qthread.h): a queue over all shepherds. */
#ifndef QTHREAD_QDQUEUE_H
#define QTHREAD_QDQUEUE_H

#include "qthread.h"

Q_STARTCXX

typedef struct qdqueue_s qdqueue_t;
qdqueue_t* qdqueue_create(void);
int qdqueue_destroy(qdqueue_t* q);
int qdqueue_enqueue(qdqueue_t* q, void* elem);
int qdqueue_enqueue_there(qdqueue_t* q, void* elem, qthread_shepherd_id_t there);
void* qdqueue_dequeue(qdqueue_t* q);
int qdqueue_empty(qdqueue_t* q);

Q_ENDCXX

#endif
