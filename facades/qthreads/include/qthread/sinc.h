/* Of the Qthreads interface (qthread.h): counts submissions, and combines their values. */
#ifndef QTHREAD_SINC_H
#define QTHREAD_SINC_H

#include "qthread.h"

Q_STARTCXX

typedef void (*qt_sinc_op_f)(void* tgt, const void* src);
typedef struct qt_opaque_sinc_s {
    uint8_t opaque_data[24];
} __attribute__((aligned(8))) qt_sinc_t;

void qt_sinc_init(qt_sinc_t* sinc, size_t sizeof_value, const void* initial_value, qt_sinc_op_f op,
                  size_t expect);
qt_sinc_t* qt_sinc_create(size_t sizeof_value, const void* initial_value, qt_sinc_op_f op,
                          size_t expect);
void qt_sinc_reset(qt_sinc_t* sinc, size_t expect);
void qt_sinc_fini(qt_sinc_t* sinc);
void qt_sinc_destroy(qt_sinc_t* sinc);
void qt_sinc_expect(qt_sinc_t* sinc, size_t count);
void qt_sinc_submit(qt_sinc_t* sinc, const void* value);
void qt_sinc_wait(qt_sinc_t* sinc, void* target);

Q_ENDCXX

#endif
