/* Blocked Cholesky factorization of a sparse matrix from a Matrix Market file, BLAS calls inside
 * parallel regions.
 *
 * The matrix is cut into square blocks; a block is stored, densely, when it holds an entry or fills
 * in during the factorization. Each step factors a diagonal block (dpotrf), then the blocks below
 * it (dtrsm) and then updates what lies to the right (dsyrk, dgemm) - the last two as parallel
 * loops or as tasks over blocks. As in a frequency sweep several shifted matrices A + shift I are
 * factored, in parallel with each other, so the loops over blocks are nested parallel regions and
 * the BLAS is called from within them. --variant lapack factors one dense matrix with OpenBLAS's
 * own, threaded dpotrf instead.
 *
 * The updates of one block always happen in the same order, so the answer does not depend on the
 * threads. Each factorization is checked by solving a system whose solution is known. */
#include "blocked_matrix.h"
#include "example.h"

#include <cblas.h>
#include <getopt.h>
#include <math.h>
#include <omp.h>

extern void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);

static void solve_below(const blocked_t* a, int i, int k)
{
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, a->size, a->size,
                1, *block_at(a, k, k), a->size, *block_at(a, i, k), a->size);
}

static void update(const blocked_t* a, int i, int j, int k)
{
    if (i == j)
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, a->size, a->size, -1,
                    *block_at(a, i, k), a->size, 1, *block_at(a, i, i), a->size);
    else
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, a->size, a->size, a->size, -1,
                    *block_at(a, i, k), a->size, *block_at(a, j, k), a->size, 1, *block_at(a, i, j),
                    a->size);
}

/* What one step has to do below the diagonal block of column k. */
typedef struct {
    int rows, pairs;
    int* row;  /* block rows with a block in this column */
    int* pair; /* (i, j) to update, one after the other */
} step_t;

static void plan_step(const blocked_t* a, int k, step_t* step)
{
    step->rows = step->pairs = 0;
    for (int i = k + 1; i < a->blocks; ++i)
        if (*block_at(a, i, k))
            step->row[step->rows++] = i;
    for (int p = 0; p < step->rows; ++p)
        for (int q = 0; q <= p; ++q) {
            step->pair[2 * step->pairs] = step->row[p];
            step->pair[2 * step->pairs++ + 1] = step->row[q];
        }
}

/* The library routine: factors in place with a parallel loop per half step. Returns 0, or 1 + the
 * block column where the matrix turned out not to be positive definite. */
static int factor_with_loops(const blocked_t* a, step_t* step, int threads)
{
    for (int k = 0; k < a->blocks; ++k) {
        int info = 0;
        dpotrf_("L", &a->size, *block_at(a, k, k), &a->size, &info);
        if (info != 0)
            return k + 1;
        plan_step(a, k, step);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (int p = 0; p < step->rows; ++p)
            solve_below(a, step->row[p], k);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (int p = 0; p < step->pairs; ++p)
            update(a, step->pair[2 * p], step->pair[2 * p + 1], k);
    }
    return 0;
}

/* The same with one region and a task per block. */
static int factor_with_tasks(const blocked_t* a, step_t* step, int threads)
{
    int failed = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int k = 0; k < a->blocks && failed == 0; ++k) {
        int info = 0;
        dpotrf_("L", &a->size, *block_at(a, k, k), &a->size, &info);
        if (info != 0) {
            failed = k + 1;
        } else {
            plan_step(a, k, step);
            for (int p = 0; p < step->rows; ++p) {
                const int i = step->row[p];
#pragma omp task firstprivate(i, k)
                solve_below(a, i, k);
            }
#pragma omp taskwait
            for (int p = 0; p < step->pairs; ++p) {
                const int i = step->pair[2 * p], j = step->pair[2 * p + 1];
#pragma omp task firstprivate(i, j, k)
                update(a, i, j, k);
            }
#pragma omp taskwait
        }
    }
    return failed;
}

/* L L^T x = b, in place: b becomes x. */
static void solve(const blocked_t* a, double* b)
{
    const int size = a->size;
    for (int k = 0; k < a->blocks; ++k) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, size, *block_at(a, k, k),
                    size, b + k * size, 1);
        for (int i = k + 1; i < a->blocks; ++i)
            if (*block_at(a, i, k))
                cblas_dgemv(CblasColMajor, CblasNoTrans, size, size, -1, *block_at(a, i, k), size,
                            b + k * size, 1, 1, b + i * size, 1);
    }
    for (int k = a->blocks - 1; k >= 0; --k) {
        for (int i = k + 1; i < a->blocks; ++i)
            if (*block_at(a, i, k))
                cblas_dgemv(CblasColMajor, CblasTrans, size, size, -1, *block_at(a, i, k), size,
                            b + i * size, 1, 1, b + k * size, 1);
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, size, *block_at(a, k, k),
                    size, b + k * size, 1);
    }
}

/* The log of the determinant from the factor, after checking that the factor solves a system: the
 * backward error |b - A x| / (|A| |x|) has to be near the rounding of a double. */
static double check_factor(const symmetric_t* matrix, const blocked_t* a, double shift,
                           double* backward)
{
    const int padded = a->blocks * a->size;
    double *const x = allocate((size_t)padded * sizeof(double)), *const b = allocate(
                                                                     (size_t)padded *
                                                                     sizeof(double));
    for (int i = 0; i < padded; ++i)
        x[i] = i < matrix->order ? 1 + (i % 10) : 0;
    multiply(matrix, shift, x, b);
    memset(b + matrix->order, 0, (size_t)(padded - matrix->order) * sizeof(double));
    memcpy(x, b, (size_t)padded * sizeof(double));
    solve(a, x);
    double* const again = allocate((size_t)padded * sizeof(double));
    const double norm = multiply(matrix, shift, x, again);
    double residual = 0, largest = 0, logarithm = 0;
    for (int i = 0; i < matrix->order; ++i) {
        residual = fmax(residual, fabs(b[i] - again[i]));
        largest = fmax(largest, fabs(x[i]));
        logarithm += 2 *
                     log((*block_at(a, i / a->size,
                                    i / a->size))[(size_t)(i % a->size) * (size_t)(a->size + 1)]);
    }
    *backward = residual / (norm * largest);
    free(x);
    free(b);
    free(again);
    return logarithm;
}

typedef enum { loops, tasks, lapack } variant_t;

/* What came of one shift. */
typedef struct {
    int stopped; /* 0, or 1 + the block column where the matrix was seen not to be positive definite
                  */
    double backward;  /* of the check */
    double logarithm; /* of the determinant */
    double spent;     /* seconds in the factorization */
} outcome_t;

/* Assembles, factors and checks A + shift I; the blocks live only here. */
static outcome_t factor_and_check(const symmetric_t* matrix, const char* used, int size, int blocks,
                                  double shift, variant_t variant, int threads)
{
    blocked_t a = assemble(matrix, used, size, blocks, shift);
    step_t step = {0, 0, allocate((size_t)blocks * sizeof(int)),
                   allocate((size_t)blocks * (size_t)(blocks + 1) * sizeof(int))};
    outcome_t outcome = {0, 0, 0, 0};
    const double start = seconds();
    outcome.stopped = variant == tasks ? factor_with_tasks(&a, &step, threads)
                                       : factor_with_loops(&a, &step, threads);
    outcome.spent = seconds() - start;
    if (!outcome.stopped)
        outcome.logarithm = check_factor(matrix, &a, shift, &outcome.backward);
    free(step.row);
    free(step.pair);
    discard(&a);
    return outcome;
}

static void usage(void)
{
    puts(
        "usage: cholesky --matrix FILE [options]\n"
        "Factors a symmetric positive definite sparse matrix by blocks, calling the BLAS inside "
        "parallel regions.\n\n"
        "  --matrix FILE    Matrix Market file: matrix coordinate real symmetric\n"
        "  --variant NAME   loops, tasks or lapack, which is one dense dpotrf (default loops)\n"
        "  --block N        rows of a block (default 32)\n"
        "  --shifts N       shifted matrices to factor (default 8)\n"
        "  --outer N        threads over the shifts (default 4)\n"
        "  --inner N        threads over the blocks of one factorization (default 4)\n"
        "  --help           this text");
}

int main(int argc, char** argv)
{
    const char* path = NULL;
    variant_t variant = loops;
    int size = 32, shifts = 8, outer = 4, inner = 4;
    static const char* const names[] = {"loops", "tasks", "lapack"};
    static const struct option options[] = {
        {"matrix", 1, 0, 'm'}, {"variant", 1, 0, 'v'}, {"block", 1, 0, 'b'}, {"shifts", 1, 0, 's'},
        {"outer", 1, 0, 'o'},  {"inner", 1, 0, 'i'},   {"help", 0, 0, 'h'},  {0, 0, 0, 0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'm': path = optarg; break;
        case 'v':
            for (variant = loops; variant <= lapack && strcmp(optarg, names[variant]) != 0;
                 ++variant)
                ;
            if (variant > lapack)
                fail(2, "--variant wants loops, tasks or lapack, not '%s'", optarg);
            break;
        case 'b': size = (int)parse_long("block", optarg, 1, 4096); break;
        case 's': shifts = (int)parse_long("shifts", optarg, 1, 10000); break;
        case 'o': outer = (int)parse_long("outer", optarg, 1, 4096); break;
        case 'i': inner = (int)parse_long("inner", optarg, 1, 4096); break;
        case 'h': usage(); return 0;
        default: return 2;
        }
    no_more_arguments(argc, argv, optind);
    if (!path)
        fail(2, "--matrix FILE is needed (try --help)");
    omp_set_max_active_levels(2);
    omp_set_dynamic(0);

    symmetric_t matrix = read_matrix_market(path);
    double largest = 0;
    for (size_t e = 0; e < matrix.count; ++e)
        largest = fmax(largest, fabs(matrix.entry[e].value));
    if (variant == lapack) { /* one dense matrix is one block; the parallelism is OpenBLAS's own */
        size = matrix.order;
    }
    const int blocks = (matrix.order + size - 1) / size;
    if (blocks > 4096)
        fail(2, "%d blocks of %d rows are too many; take a larger --block", blocks, size);
    char* const used = block_pattern(&matrix, size, blocks);
    outcome_t* const outcome = allocate((size_t)shifts * sizeof(outcome_t));

    if (variant == lapack) { /* not even a region of one thread around it, so that OpenBLAS's
                                regions are not nested */
        for (int s = 0; s < shifts; ++s)
            outcome[s] = factor_and_check(&matrix, used, size, blocks, s * 1e-9 * largest, variant,
                                          inner);
    } else {
#pragma omp parallel for num_threads(outer) schedule(dynamic)
        for (int s = 0; s < shifts; ++s)
            outcome[s] = factor_and_check(&matrix, used, size, blocks, s * 1e-9 * largest, variant,
                                          inner);
    }

    double spent = 0;
    for (int s = 0; s < shifts; ++s) {
        if (outcome[s].stopped)
            fail(1, "%s is not positive definite (shift %d, seen in block column %d of %d)", path,
                 s, outcome[s].stopped, blocks);
        if (!(outcome[s].backward < 1e-13))
            fail(1, "the factor of shift %d does not solve its system: backward error %.3g", s,
                 outcome[s].backward);
        spent += outcome[s].spent;
    }
    printf("result: cholesky order=%d entries=%zu %s block=%d\n", matrix.order, matrix.count,
           names[variant], size);
    for (int s = 0; s < shifts; ++s)
        printf("result: shift %d log-determinant %.9e\n", s, outcome[s].logarithm);
    printf("time: %.3f s in %d factorizations, added up\n", spent, shifts);
    free(outcome);
    free(used);
    free(matrix.entry);
    return 0;
}
