/* Of the Qthreads interface (qthread.h): hash functions. */
#ifndef QTHREAD_HASH_H
#define QTHREAD_HASH_H

#include "qthread.h"

Q_STARTCXX

#define GOLDEN_RATIO 0x9e3779b97f4a7c13LL
uint64_t qt_hash64(uint64_t key);
aligned_t qt_hash_bytes(void* key, size_t bytes, aligned_t state);

Q_ENDCXX

#endif
