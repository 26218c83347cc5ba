/* Strassen's product of two square matrices: seven products of half the size, each a task. */
#include "tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { alone_below = 64 };

static double *a, *b, *c;
static size_t size;

struct product {
    size_t n;
    const double *x, *y;
    size_t x_row, y_row; /* from a row to the next */
    double* to;          /* n rows of n */
};

/* to = x + sign * y, of n rows of n. */
static void add(size_t n, const double* x, size_t x_row, double sign, const double* y, size_t y_row,
                double* to)
{
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < n; ++k) {
            to[i * n + k] = x[i * x_row + k] + sign * y[i * y_row + k];
        }
    }
}

static void multiply_alone(const struct product* p)
{
    for (size_t i = 0; i < p->n; ++i) {
        double* const row = p->to + i * p->n;
        memset(row, 0, p->n * sizeof *row);
        for (size_t k = 0; k < p->n; ++k) {
            const double x = p->x[i * p->x_row + k];
            for (size_t j = 0; j < p->n; ++j) {
                row[j] += x * p->y[k * p->y_row + j];
            }
        }
    }
}

static void multiply(void* argument)
{
    const struct product* const p = argument;
    if (p->n <= alone_below) {
        multiply_alone(p);
        return;
    }
    const size_t n = p->n / 2, all = n * n, xr = p->x_row, yr = p->y_row;
    double* const memory = malloc(17 * all * sizeof *memory);
    double *m[7], *s[5], *t[5];
    for (int i = 0; i < 7; ++i) {
        m[i] = memory + (size_t)i * all;
    }
    for (int i = 0; i < 5; ++i) {
        s[i] = memory + (size_t)(7 + i) * all;
        t[i] = memory + (size_t)(12 + i) * all;
    }
    const double *x11 = p->x, *x12 = x11 + n, *x21 = x11 + n * xr, *x22 = x21 + n;
    const double *y11 = p->y, *y12 = y11 + n, *y21 = y11 + n * yr, *y22 = y21 + n;
    add(n, x11, xr, 1, x22, xr, s[0]);
    add(n, y11, yr, 1, y22, yr, t[0]);
    add(n, x21, xr, 1, x22, xr, s[1]);
    add(n, y12, yr, -1, y22, yr, t[1]);
    add(n, y21, yr, -1, y11, yr, t[2]);
    add(n, x11, xr, 1, x12, xr, s[2]);
    add(n, x21, xr, -1, x11, xr, s[3]);
    add(n, y11, yr, 1, y12, yr, t[3]);
    add(n, x12, xr, -1, x22, xr, s[4]);
    add(n, y21, yr, 1, y22, yr, t[4]);
    struct product products[7] = {{n, s[0], t[0], n, n, m[0]}, {n, s[1], y11, n, yr, m[1]},
                                  {n, x11, t[1], xr, n, m[2]}, {n, x22, t[2], xr, n, m[3]},
                                  {n, s[2], y22, n, yr, m[4]}, {n, s[3], t[3], n, n, m[5]},
                                  {n, s[4], t[4], n, n, m[6]}};
    struct job jobs[7];
    for (int i = 0; i < 7; ++i) {
        jobs[i] = (struct job){.run = multiply, .argument = &products[i]};
        spawn(&jobs[i]);
    }
    wait_for(jobs, 7);
    for (size_t i = 0; i < n; ++i) {
        double* const upper = p->to + i * p->n;
        double* const lower = p->to + (i + n) * p->n;
        for (size_t k = 0; k < n; ++k) {
            const size_t at = i * n + k;
            upper[k] = m[0][at] + m[3][at] - m[4][at] + m[6][at];
            upper[k + n] = m[2][at] + m[4][at];
            lower[k] = m[1][at] + m[3][at];
            lower[k + n] = m[0][at] - m[1][at] + m[2][at] + m[5][at];
        }
    }
    free(memory);
}

static void prepare(int exponent)
{
    size = (size_t)1 << (exponent != 0 ? exponent : 10);
    a = malloc(size * size * sizeof *a);
    b = malloc(size * size * sizeof *b);
    c = malloc(size * size * sizeof *c);
    unsigned state = 3;
    for (size_t i = 0; i < size * size; ++i) {
        state = state * 1664525u + 1013904223u;
        a[i] = (double)(state >> 8) / (1 << 24) - 0.5;
        b[i] = (double)(state & 0xffff) / (1 << 16) - 0.5;
    }
}

static void run(void)
{
    struct product all = {size, a, b, size, size, c};
    multiply(&all);
}

/* The products with a vector agree: c v = a (b v). */
static int is_right(void)
{
    double* const v = malloc(2 * size * sizeof *v);
    double* const bv = v + size;
    int right = 1;
    for (size_t i = 0; i < size; ++i) {
        v[i] = (double)(i % 5) - 1.5;
    }
    for (size_t i = 0; i < size; ++i) {
        bv[i] = 0;
        for (size_t k = 0; k < size; ++k) {
            bv[i] += b[i * size + k] * v[k];
        }
    }
    for (size_t i = 0; i < size && right; ++i) {
        double one = 0, other = 0;
        for (size_t k = 0; k < size; ++k) {
            one += c[i * size + k] * v[k];
            other += a[i * size + k] * bv[k];
        }
        right = fabs(one - other) < 1e-8 * (double)size;
    }
    free(v);
    return right;
}

const struct kernel strassen = {"strassen", prepare, run, is_right};
