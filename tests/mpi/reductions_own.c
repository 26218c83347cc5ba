/* Operations of the program's own, and sums, whose result depends on the order. */
#include "reductions.h"

#include <string.h>

/* Two by two matrices: the order of factors matters. */
static void multiply(void* in, void* inout, int* count, MPI_Datatype* type)
{
    (void)type;
    unsigned* a = in;
    unsigned* b = inout;
    for (int i = 0; i < *count; ++i, a += 4, b += 4) {
        const unsigned c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                               a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        memcpy(b, c, sizeof c);
    }
}

static void fill_matrices(void* to, int count, int of, int round)
{
    unsigned* m = to;
    for (int i = 0; i < 4 * count; ++i) {
        m[i] = (unsigned)(number(of, i, round) * 77 + i % 5);
    }
}

/* A structure with a gap, and behind its end another. */
struct gappy {
    char letter;
    double value;
    short counted;
    char unused[14];
};

static void add_gappy(void* in, void* inout, int* count, MPI_Datatype* type)
{
    (void)type;
    const struct gappy* a = in;
    struct gappy* b = inout;
    for (int i = 0; i < *count; ++i) {
        b[i].letter = (char)(b[i].letter ^ a[i].letter);
        b[i].value += a[i].value;
        b[i].counted = (short)(b[i].counted + a[i].counted);
    }
}

static void fill_gappy(void* to, int count, int of, int round)
{
    struct gappy* g = to;
    memset(g, 0, (size_t)count * sizeof *g);
    for (int i = 0; i < count; ++i) {
        g[i].letter = (char)number(of, i, round);
        g[i].value = number(of, i, round) * 0.25;
        g[i].counted = (short)(of + i);
    }
}

/* Every other of eight ints. With a factor it is not associative. */
static int times = 1;

static void add_every_other(void* in, void* inout, int* count, MPI_Datatype* type)
{
    (void)type;
    const int* a = in;
    int* b = inout;
    for (int i = 0; i < *count; ++i) {
        for (int j = 0; j < 4; ++j) {
            b[i * 8 + 2 * j] += times * a[i * 8 + 2 * j];
        }
    }
}

static void fill_every_other(void* to, int count, int of, int round)
{
    int* g = to;
    memset(g, 0, (size_t)count * 32);
    for (int i = 0; i < 4 * count; ++i) {
        g[2 * i] = number(of, i, round);
    }
}

void case_own_operations(MPI_Comm comm)
{
    MPI_Op product, sum, scaled;
    MPI_Op_create(multiply, 0, &product);
    MPI_Op_create(add_gappy, 1, &sum);
    MPI_Op_create(add_every_other, 0, &scaled);
    MPI_Datatype matrix, plain, gappy, vector, every_other;
    MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
    MPI_Type_commit(&matrix);
    const int lengths[3] = {1, 1, 1};
    const MPI_Aint places[3] = {offsetof(struct gappy, letter), offsetof(struct gappy, value),
                                offsetof(struct gappy, counted)};
    const MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    MPI_Type_create_struct(3, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(struct gappy), &gappy);
    MPI_Type_commit(&gappy);
    MPI_Type_vector(4, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 32, &every_other);
    MPI_Type_commit(&every_other);
    int n;
    MPI_Comm_size(comm, &n);
    for (int c = 0; c < count_kinds; ++c) {
        for (int round = 0; round < (c < 8 ? 2 * (n + 1) : 4); ++round) {
            doing = "product of matrices";
            reduce(comm, matrix, 16, product, fill_matrices, counts[c], round + c, 1);
            /* Intel MPI writes what it likes into gaps; so it is not asked. */
            doing = "sum of structures";
            reduce(comm, gappy, sizeof(struct gappy), sum, fill_gappy, counts[c] / 3 + 1, round + c,
                   0);
            doing = "every other of eight";
            reduce(comm, every_other, 32, scaled, fill_every_other, counts[c] / 4 + 1, round + c,
                   0);
        }
    }
    MPI_Op_free(&product);
    MPI_Op_free(&sum);
    MPI_Op_free(&scaled);
    MPI_Type_free(&matrix);
    MPI_Type_free(&plain);
    MPI_Type_free(&gappy);
    MPI_Type_free(&vector);
    MPI_Type_free(&every_other);
}

/* Floating-point sums whose rounding depends on the order: ours is the documented one, for all
 * sizes and in all ranks. Only when ours is used. */
static void fill_rounding(void* to, int count, int of, int round)
{
    double* d = to;
    for (int i = 0; i < count; ++i) {
        d[i] = 1.0 / (1 + (i * 13 + of * 101 + round) % 1009) * ((i + of) % 3 == 0 ? 1e10 : 1);
    }
}

void case_order(MPI_Comm comm)
{
    doing = "order of evaluation";
    int n;
    MPI_Comm_size(comm, &n);
    for (int i = 0; i < 6; ++i) { /* set up */
        MPI_Barrier(comm);
    }
    for (int c = 0; c < count_kinds; ++c) {
        for (int round = 0; round < 2 * (n + 1); ++round) {
            reduce(comm, MPI_DOUBLE, 8, MPI_SUM, fill_rounding, counts[c], round, 0);
        }
    }
    times = 3;
    case_own_operations(comm);
    times = 1;
}
