/* Parallel sorting in C. */
#ifndef ARTEL_C_SORT_H
#define ARTEL_C_SORT_H

#include "../export.hpp"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As qsort_r: elements of `size` bytes, which are moved byte by byte; compare(a, b, context) is
 * negative, 0 or positive, is called by several threads at a time, and must return normally. Not
 * stable. Needs memory for a copy of all elements, unless they have 4 or 8 bytes and are aligned to
 * their size. Waits as artel_par_do. Returns 0; or ENOMEM, or EINVAL for a size of 0, with nothing
 * changed. */
ARTEL_API int artel_parallel_sort(void* base, size_t count, size_t size,
                                  int (*compare)(const void* a, const void* b, void* context),
                                  void* context);

/* The same, but stable: elements that compare equal stay in their order. Always needs memory. */
ARTEL_API int artel_parallel_stable_sort(void* base, size_t count, size_t size,
                                         int (*compare)(const void* a, const void* b,
                                                        void* context),
                                         void* context);

#ifdef __cplusplus
}
#endif

#endif
