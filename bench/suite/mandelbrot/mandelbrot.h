/* mandelbrot.h — the Mandelbrot set; a row of the picture is an item. The costs of rows differ
 * much, and by no simple rule. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct mandelbrot;

/* A picture of size * size points, at most 256 steps each. */
struct mandelbrot* mandelbrot_make(long size);
void mandelbrot_free(struct mandelbrot* problem);
long mandelbrot_rows(const struct mandelbrot* problem);
/* Any thread. */
void mandelbrot_row(struct mandelbrot* problem, long row);
void mandelbrot_forget(struct mandelbrot* problem);
/* The first wrong row, -1 when all are right. */
long mandelbrot_wrong(const struct mandelbrot* problem);

#ifdef __cplusplus
}
#endif
