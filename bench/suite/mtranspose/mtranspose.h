/* mtranspose.h — a square matrix transposed in 16 times 16 blocks: a loop over rows of blocks, and
 * in it a loop over the blocks of one (the thesis's MTranspose). */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum { mtranspose_blocks = 16 }; /* in each direction */

struct mtranspose;

/* `order` must be a multiple of 16. */
struct mtranspose* mtranspose_make(long order);
void mtranspose_free(struct mtranspose* problem);

/* Transposes one block. Any thread. */
void mtranspose_block(struct mtranspose* problem, long block_row, long block_column);

void mtranspose_forget(struct mtranspose* problem);
/* The number of the first wrong element, -1 when all are right. */
long mtranspose_wrong(const struct mtranspose* problem);

#ifdef __cplusplus
}
#endif
