/* A transform by recursive tasks in the manner of the Barcelona OpenMP Task Suite's FFT: each half
 * is a task, and so is each piece of the loop that joins two halves. */
#include "tasks.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { leaf = 64, piece = 128 };

static double complex *in, *out, *roots;
static size_t size;

/* Transforms n elements of x that lie `stride` apart; the result goes to y. */
static void alone(size_t n, size_t stride, const double complex* x, double complex* y)
{
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    const size_t half = n / 2;
    alone(half, 2 * stride, x, y);
    alone(half, 2 * stride, x + stride, y + half);
    for (size_t k = 0; k < half; ++k) {
        const double complex odd = y[k + half] * roots[k * (size / n)];
        y[k + half] = y[k] - odd;
        y[k] += odd;
    }
}

struct part {
    size_t n;
    size_t stride; /* of x; of the joining loop: its first */
    const double complex* x;
    double complex* y;
    size_t end; /* of the joining loop */
};

static void join(void* argument)
{
    const struct part* const p = argument;
    if (p->end - p->stride > piece) {
        struct part parts[2] = {*p, *p};
        parts[0].end = parts[1].stride = p->stride + (p->end - p->stride) / 2;
        struct job jobs[2] = {{.run = join, .argument = &parts[0]},
                              {.run = join, .argument = &parts[1]}};
        spawn(&jobs[0]);
        spawn(&jobs[1]);
        wait_for(jobs, 2);
        return;
    }
    const size_t half = p->n / 2;
    for (size_t k = p->stride; k < p->end; ++k) {
        const double complex odd = p->y[k + half] * roots[k * (size / p->n)];
        p->y[k + half] = p->y[k] - odd;
        p->y[k] += odd;
    }
}

static void transform(void* argument)
{
    const struct part* const p = argument;
    if (p->n <= leaf) {
        alone(p->n, p->stride, p->x, p->y);
        return;
    }
    const size_t half = p->n / 2;
    struct part parts[2] = {{half, 2 * p->stride, p->x, p->y, 0},
                            {half, 2 * p->stride, p->x + p->stride, p->y + half, 0}};
    struct job jobs[2] = {{.run = transform, .argument = &parts[0]},
                          {.run = transform, .argument = &parts[1]}};
    spawn(&jobs[0]);
    spawn(&jobs[1]);
    wait_for(jobs, 2);
    struct part both = {p->n, 0, NULL, p->y, half};
    join(&both);
}

static void prepare(int exponent)
{
    size = (size_t)1 << (exponent != 0 ? exponent : 22);
    in = malloc(size * sizeof *in);
    out = malloc(size * sizeof *out);
    roots = malloc(size / 2 * sizeof *roots);
    unsigned state = 1;
    for (size_t i = 0; i < size; ++i) {
        state = state * 1664525u + 1013904223u;
        in[i] = (double)(state >> 8) / (1 << 24) - 0.5 + I * (double)(i % 7);
    }
    for (size_t i = 0; i < size / 2; ++i) {
        roots[i] = cexp(-2 * I * acos(-1) * (double)i / (double)size);
    }
}

static void run(void)
{
    struct part all = {size, 1, in, out, 0};
    transform(&all);
}

/* A few of the results by their definition. */
static int is_right(void)
{
    for (size_t k = 1; k < size; k += size / 5) {
        double complex sum = 0;
        for (size_t i = 0, at = 0; i < size; ++i, at = (at + k) % size) {
            sum += in[i] * (at < size / 2 ? roots[at] : -roots[at - size / 2]);
        }
        if (cabs(sum - out[k]) > 1e-9 * (double)size) {
            return 0;
        }
    }
    return 1;
}

const struct kernel fft = {"fft", prepare, run, is_right};
