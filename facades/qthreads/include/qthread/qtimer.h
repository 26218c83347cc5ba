/* Of the Qthreads interface: time, in seconds. */
#ifndef QTHREAD_QTIMER_H
#define QTHREAD_QTIMER_H

#include "macros.h"

Q_STARTCXX

typedef struct qtimer_s* qtimer_t;
qtimer_t qtimer_create(void);
void qtimer_destroy(qtimer_t t);
void qtimer_start(qtimer_t t);
void qtimer_stop(qtimer_t t);
double qtimer_secs(qtimer_t t);
double qtimer_wtime(void);
double qtimer_res(void);
unsigned long qtimer_fastrand(void);

Q_ENDCXX

#endif
