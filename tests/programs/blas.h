/* blas.h — what the programs share that open an OpenBLAS by its path. */
#pragma once

#include <stdlib.h>

typedef void gemm_function(const char*, const char*, const int*, const int*, const int*,
                           const double*, const double*, const int*, const double*, const int*,
                           const double*, double*, const int*);

/* Of numbers between -0.5 and 0.5, by columns; the caller frees it. */
static double* matrix(int rows, int columns, unsigned seed)
{
    double* m = malloc(sizeof(double) * rows * columns);
    for (long i = 0; i < (long)rows * columns; ++i) {
        seed = seed * 1664525u + 1013904223u;
        m[i] = seed / 4294967296.0 - 0.5;
    }
    return m;
}
