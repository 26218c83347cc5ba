/* Of the Qthreads interface. */
#ifndef QTHREAD_CACHELINE_H
#define QTHREAD_CACHELINE_H

#include "macros.h"

Q_STARTCXX
int qthread_cacheline(void);
Q_ENDCXX

#endif
