/* A symmetric sparse matrix from a Matrix Market file.
 *
 * Only what the factorization needs: the lower triangle as coordinates. The format is described at
 * https://math.nist.gov/MatrixMarket/formats.html */
#pragma once

#include <stddef.h>

/* One entry of the lower triangle, counted from 0; column <= row. */
typedef struct {
    int row, column;
    double value;
} entry_t;

typedef struct {
    int order;      /* rows and columns */
    size_t count;   /* entries stored */
    entry_t* entry; /* allocated; free() it */
} symmetric_t;

/* Reads a "matrix coordinate real|integer symmetric" file. Entries given twice stay two entries and
 * mean their sum. Anything else, from a file that is not there to an entry outside the matrix, ends
 * the program with status 1 and a message that names the file and the line. */
symmetric_t read_matrix_market(const char* path);

/* y = (A + shift I) x. Returns the largest row sum of absolute values. */
double multiply(const symmetric_t* matrix, double shift, const double* x, double* y);
