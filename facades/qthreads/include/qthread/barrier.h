/* Of the Qthreads interface (qthread.h): barriers. */
#ifndef QTHREAD_BARRIER_H
#define QTHREAD_BARRIER_H

#include "qthread.h"

Q_STARTCXX

typedef enum { REGION_BARRIER, LOOP_BARRIER } qt_barrier_btype;
typedef enum { UPLOCK, DOWNLOCK, BOTHLOCKS } qt_barrier_dtype;
typedef struct qt_barrier_s qt_barrier_t;

qt_barrier_t* qt_barrier_create(size_t max_threads, qt_barrier_btype type);
void qt_barrier_enter(qt_barrier_t* b);
void qt_barrier_enter_id(qt_barrier_t* b, size_t id);
void qt_barrier_resize(qt_barrier_t* b, size_t size);
void qt_barrier_destroy(qt_barrier_t* b);
void qt_barrier_dump(qt_barrier_t* b, qt_barrier_dtype what);
qt_barrier_t* qt_get_barrier(void);
void qt_set_barrier(qt_barrier_t* b);

Q_ENDCXX

#endif
