/* inner.h — many short loops inside a loop that keeps all workers busy: the cost of a loop when no
 * other worker is free to help. A step increments one of 4096 numbers that belong to one worker's
 * place. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct inner;

struct inner* inner_make(long places);
void inner_free(struct inner* problem);

/* Counts up number i (0 <= i < 4096) of a place. Different numbers at the same time, from any
 * threads. */
void inner_step(struct inner* problem, long place, long i);

void inner_forget(struct inner* problem);
/* Whether in all places the first `steps` numbers are `turns`, and the others 0. */
int inner_right(const struct inner* problem, long steps, long turns);

#ifdef __cplusplus
}
#endif
