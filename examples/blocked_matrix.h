/* A symmetric sparse matrix cut into square blocks; a block is stored, densely, when it holds an
 * entry or fills in during a factorization. */
#pragma once

#include "matrix_market.h"

/* Lower triangle in blocks of size x size values, by columns inside a block; the last block row and
 * column are padded with the unit matrix. block[i * blocks + j] is NULL where a block is zero and
 * stays so. */
typedef struct {
    int size, blocks;
    double** block;
} blocked_t;

static inline double** block_at(const blocked_t* a, int i, int j)
{
    return &a->block[(size_t)i * (size_t)a->blocks + (size_t)j];
}

static inline size_t block_values(const blocked_t* a)
{
    return (size_t)a->size * (size_t)a->size;
}

/* Marks the blocks the factor needs, blocks * blocks of them; free() the marks. */
char* block_pattern(const symmetric_t* matrix, int size, int blocks);

/* The blocks of A + shift I that are marked; discard() them. */
blocked_t assemble(const symmetric_t* matrix, const char* used, int size, int blocks, double shift);
void discard(blocked_t* a);
