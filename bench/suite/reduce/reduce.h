/* reduce.h — the sum of an array of integers, in blocks: one iteration sums up one block (the
 * thesis's Reduce, whose blocks have 1024). */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reduce;

/* `size` numbers in blocks of `block`; `size` is a multiple of `block`. Never NULL; free with
 * reduce_free. */
struct reduce* reduce_make(long size, long block);
void reduce_free(struct reduce* problem);

long reduce_blocks(const struct reduce* problem);

/* Sums up block `block`. Any thread. */
void reduce_block(struct reduce* problem, long block);

/* The sum over the blocks' sums; after the loop. */
uint64_t reduce_total(const struct reduce* problem);

void reduce_forget(struct reduce* problem);
/* The correct result of reduce_total(). */
uint64_t reduce_expected(const struct reduce* problem);

#ifdef __cplusplus
}
#endif
