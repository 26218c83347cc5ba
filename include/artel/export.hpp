// ARTEL_API marks what libartel.so exports: the public C++ API and the C ABI. The version script packaging/libartel.map
// is the second gate: it keeps everything outside namespace artel and the artel_ prefix local, whatever its visibility.
#pragma once

#if defined(__GNUC__)
#define ARTEL_API __attribute__((visibility("default")))
#else
#define ARTEL_API
#endif
