/* wavefront.h — a table in which every element depends on its left, upper and upper left neighbour
 * (the longest common subsequence of two texts), in blocks of 32 * 32: the blocks of one
 * anti-diagonal are independent. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct wavefront;

/* size * size blocks. */
struct wavefront* wavefront_make(long size);
void wavefront_free(struct wavefront* problem);
/* Computes one block whose upper and left neighbours have been. Any thread. */
void wavefront_block(struct wavefront* problem, long row, long column);
void wavefront_forget(struct wavefront* problem);
/* The number of the first wrong element, -1 when all are right. */
long wavefront_wrong(const struct wavefront* problem);

#ifdef __cplusplus
}
#endif
