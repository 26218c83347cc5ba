/* Reductions and prefix sums in C, over values of any size.

   Values are copied byte by byte, to addresses that are multiples of 16. `value` holds the identity
   at the call: joining x with it gives x. Options, waiting, nesting and errors are those of
   artel_parallel_for_with (loop.h), and EOVERFLOW for 2^63 iterations or more. After an error
   `value` is unchanged. Functions must return normally. `join` must be associative; it need not be
   commutative: parts are joined in the order of their iterations. */
#ifndef ARTEL_C_REDUCE_H
#define ARTEL_C_REDUCE_H

#include "loop.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Joins iterations [begin, end) to the value. */
typedef void (*artel_reduce_body)(void* context, int64_t begin, int64_t end, void* value);
/* left becomes left joined with right. */
typedef void (*artel_join)(void* context, void* left, const void* right);

/* Stores the value of all iterations, of `size` bytes, in `value`. Where the parts begin depends on
   timing, so sums of floating-point numbers may differ in the last bits from run to run, except
   with ARTEL_STATIC, where they depend only on the number of workers. */
ARTEL_API int artel_parallel_reduce(const artel_loop_options* options, int64_t begin, int64_t end,
                                    size_t size, void* value, artel_reduce_body body,
                                    artel_join join, void* context);

/* The same, but the result does not depend on the number of workers and is the same in every run:
   the range is cut into blocks that depend on its length and the grain only. The partitioner is
   ignored. */
ARTEL_API int artel_parallel_deterministic_reduce(const artel_loop_options* options, int64_t begin,
                                                  int64_t end, size_t size, void* value,
                                                  artel_reduce_body body, artel_join join,
                                                  void* context);

/* Prefix sums. body(context, b, e, total, is_final) joins the piece's elements to `total`. When
   is_final is 1, `total` is that of all elements before the piece, and the body also writes the
   piece's results. A piece may be visited twice, the second time finally. The total of the range is
   stored in `value`. The grain is the fewest elements of a block; the partitioner is ignored. */
typedef void (*artel_scan_body)(void* context, int64_t begin, int64_t end, void* total,
                                int is_final);
ARTEL_API int artel_parallel_scan(const artel_loop_options* options, int64_t begin, int64_t end,
                                  size_t size, void* value, artel_scan_body body, artel_join join,
                                  void* context);

#ifdef __cplusplus
}
#endif

#endif
