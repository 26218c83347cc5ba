/* Which blocks of a matrix there are, and what is in them. */
#include "blocked_matrix.h"

#include "example.h"

/* Marked are those with entries, and block (i, j) when (i, k) and (j, k)
 * are there. */
char* block_pattern(const symmetric_t* matrix, int size, int blocks)
{
    char* const used = allocate((size_t)blocks * (size_t)blocks);
    memset(used, 0, (size_t)blocks * (size_t)blocks);
    for (size_t e = 0; e < matrix->count; ++e)
        used[(size_t)(matrix->entry[e].row / size) * (size_t)blocks +
             (size_t)(matrix->entry[e].column / size)] = 1;
    for (int k = 0; k < blocks; ++k) {
        used[(size_t)k * (size_t)blocks + (size_t)k] = 1;
        for (int j = k + 1; j < blocks; ++j)
            for (int i = j; used[(size_t)j * (size_t)blocks + (size_t)k] && i < blocks; ++i)
                used[(size_t)i * (size_t)blocks + (size_t)j] |= used[(size_t)i * (size_t)blocks +
                                                                     (size_t)k];
    }
    return used;
}

blocked_t assemble(const symmetric_t* matrix, const char* used, int size, int blocks, double shift)
{
    const blocked_t a = {size, blocks, allocate((size_t)blocks * (size_t)blocks * sizeof(double*))};
    for (int i = 0; i < blocks * blocks; ++i) {
        a.block[i] = NULL;
        if (used[i]) {
            a.block[i] = allocate(block_values(&a) * sizeof(double));
            memset(a.block[i], 0, block_values(&a) * sizeof(double));
        }
    }
    for (size_t e = 0; e < matrix->count; ++e) {
        const entry_t* const entry = &matrix->entry[e];
        double* const block = *block_at(&a, entry->row / size, entry->column / size);
        block[entry->row % size + entry->column % size * size] += entry->value;
    }
    for (int i = 0; i < blocks * size; ++i)
        (*block_at(&a, i / size,
                   i / size))[(size_t)(i % size) * (size_t)(size + 1)] += i < matrix->order ? shift
                                                                                            : 1;
    return a;
}

void discard(blocked_t* a)
{
    for (int i = 0; i < a->blocks * a->blocks; ++i)
        free(a->block[i]);
    free(a->block);
}
