/* A condition that must hold, in programs of the Qthreads interface. */
#ifndef QTHREADS_CHECK_H
#define QTHREADS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)   \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

#endif
