/* The C interface of libartel. Stable for the life of soname libartel.so.0; every function is thread-safe, never throws and,
   where not said otherwise, never blocks. */
#ifndef ARTEL_H
#define ARTEL_H

#include "artel/export.hpp"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is loaded, "major.minor.patch". A static string. */
ARTEL_API const char* artel_version(void);

#ifdef __cplusplus
}
#endif

#endif
