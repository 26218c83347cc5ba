/* ARTEL_API marks what libartel.so exports: the public C++ API and the C ABI (a C header includes
   this too). What is really exported is decided by the version script packaging/libartel.map:
   nothing outside namespace artel and the artel_ prefix. */
#pragma once

#if defined(__GNUC__)
#define ARTEL_API __attribute__((visibility("default")))
#else
#define ARTEL_API
#endif
