/* Of the Qthreads interface (qthread.h): what the machine is. */
#ifndef QTHREAD_COMMON_H
#define QTHREAD_COMMON_H

#if !defined(__x86_64__)
#error "this library is for x86-64"
#endif

#define BITFIELD_ORDER_REVERSE
#define QTHREAD_AMD64 2
#define QTHREAD_ASSEMBLY_ARCH QTHREAD_AMD64
#define QTHREAD_TRAP() __builtin_trap()

#ifdef __cplusplus
#define restrict __restrict
#endif

#endif
