/* ARTEL_API marks what libartel.so exports: the public C++ API and the C ABI (a C header includes
   this too). What is really exported is decided by the version script packaging/libartel.map:
   nothing outside namespace artel and the artel_ prefix. */
#pragma once

#if defined(__GNUC__)
#define ARTEL_API __attribute__((visibility("default")))
#else
#define ARTEL_API
#endif

/* A function that is emitted once and never inlined. */
#if defined(__clang__)
#define ARTEL_OUT_OF_LINE __attribute__((noinline))
#elif defined(__GNUC__)
#define ARTEL_OUT_OF_LINE __attribute__((noinline, noclone))
#else
#define ARTEL_OUT_OF_LINE
#endif
