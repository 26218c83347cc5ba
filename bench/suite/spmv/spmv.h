/* spmv.h — sparse matrix times vector, y = A x, with A by rows (CSR) in double precision: the
 * thesis's SPMV.
 *
 * The row's product is compiled once, by one compiler, and called by every competitor, so that none
 * of them gets faster code for the work itself. C, because the Rust competitor calls it too. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct spmv;

/* How the entries are spread over the rows; the number of all entries is about the same. */
enum spmv_shape {
    spmv_balanced,   /* every row alike */
    spmv_triangle,   /* falling linearly */
    spmv_hyperbolic, /* falling as 1/row; a row cannot have more entries than it is wide */
};

/* threads * 512 rows of the given width, a hundred and twenty-eighth of the entries not zero. Never
 * NULL; free with spmv_free. */
struct spmv* spmv_make(enum spmv_shape shape, long width, int threads);

/* The same with so many rows, however many threads there are. */
struct spmv* spmv_make_rows(enum spmv_shape shape, long width, long rows);

/* The matrix of a Matrix Market file ("coordinate", real, integer or pattern, general or
 * symmetric). NULL with a message on stderr when the file cannot be read. */
struct spmv* spmv_read(const char* path);

void spmv_free(struct spmv* problem);

long spmv_rows(const struct spmv* problem);
long spmv_entries(const struct spmv* problem);

/* Row `row` of the product. Any thread; each row writes its own element of the result. */
void spmv_row(struct spmv* problem, long row);

/* Forgets the result, so that a row that is not computed afterwards is noticed. */
void spmv_forget(struct spmv* problem);

/* The first row whose result is wrong, -1 when all are right. */
long spmv_wrong(const struct spmv* problem);

#ifdef __cplusplus
}
#endif
