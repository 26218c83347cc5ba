/* reduce.h — the sum of an array of integers, in blocks of 1024: one iteration sums up one block
 * (the thesis's Reduce). */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reduce;

/* `size` numbers, a multiple of 1024. Never NULL; free with reduce_free. */
struct reduce* reduce_make(long size);
void reduce_free(struct reduce* problem);

long reduce_blocks(const struct reduce* problem);

/* Sums up block `block`. Any thread. */
void reduce_block(struct reduce* problem, long block);

/* The sum over the blocks' sums; after the loop. */
uint64_t reduce_total(const struct reduce* problem);

void reduce_forget(struct reduce* problem);
/* What reduce_total() must be. */
uint64_t reduce_expected(const struct reduce* problem);

#ifdef __cplusplus
}
#endif
