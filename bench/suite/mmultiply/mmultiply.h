/* mmultiply.h — the product of two square matrices: a loop over rows, and in it a loop over columns
 * (the thesis's MMultiply). The right-hand matrix is stored by columns, so that a cell is the
 * product of two contiguous vectors. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct mmultiply;

struct mmultiply* mmultiply_make(long order);
void mmultiply_free(struct mmultiply* problem);

/* One cell of the result. Any thread. */
void mmultiply_cell(struct mmultiply* problem, long row, long column);

void mmultiply_forget(struct mmultiply* problem);
/* The number of the first wrong cell, -1 when all are right. */
long mmultiply_wrong(const struct mmultiply* problem);

#ifdef __cplusplus
}
#endif
