/* What MPI promises of MPI_Reduce and MPI_Allreduce, case by case: run under any MPI, with and
   without ours. What each rank gives is known to all, so each works out what must come, by
   MPI_Reduce_local in the order of ranks, and compares bytes; the library's own answer (PMPI_) must
   be the same, which tells mistakes of this program from ours. Prints "ok CASES" and exits 0, or
   says what was wrong and aborts. Arguments: names of cases; none: all but those that must be
   named.
   --library-too: the library does some of it. */
#include "cases.h"

#include <complex.h>
#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int library_too; /* some calls end up at the library */
static const char* doing = "";

static void fail(const char* what, long at, int root)
{
    fprintf(stderr, "reductions: rank %d of %d: %s: %s, element %ld, root %d\n", rank, size, doing,
            what, at, root);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Small numbers, so that sums and products are exact in every type and order. */
static int number(int of, long i, int round)
{
    return (int)((i * 7 + of * 5 + round * 3 + i / 97) % 4) + (i % 3 == of % 3 ? 1 : 0);
}

enum kind { whole, real, complexes, pairs, bytes_only, truth };

/* Fills `count` elements with what rank `of` gives. */
typedef void (*filler)(void* to, int count, int of, int round);

#define FILLER(name, type, expression)                                          \
    static void name(void* to, int count, int of, int round)                    \
    {                                                                           \
        for (int i = 0; i < count; ++i) {                                       \
            const type value = (type)(expression);                              \
            memcpy((char*)to + (size_t)i * sizeof value, &value, sizeof value); \
        }                                                                       \
    }
FILLER(fill_i8, int8_t, number(of, i, round))
FILLER(fill_i16, int16_t, number(of, i, round) - 2)
FILLER(fill_u16, uint16_t, number(of, i, round))
FILLER(fill_i32, int32_t, number(of, i, round) - 2)
FILLER(fill_u32, uint32_t, number(of, i, round))
FILLER(fill_i64, int64_t, number(of, i, round) - 2)
FILLER(fill_u64, uint64_t, number(of, i, round))
FILLER(fill_float, float, number(of, i, round) - 1)
FILLER(fill_double, double, number(of, i, round) - 1)
FILLER(fill_long_double, long double, number(of, i, round) - 1)
FILLER(fill_complex, double complex, number(of, i, round) + (number(of, i + 1, round) - 1) * I)
FILLER(fill_bool, _Bool, number(of, i, round) > 1)

#define PAIR_FILLER(name, type)                              \
    static void name(void* to, int count, int of, int round) \
    {                                                        \
        struct {                                             \
            type value;                                      \
            int place;                                       \
        }* const at = to;                                    \
        for (int i = 0; i < count; ++i) {                    \
            at[i].value = (type)number(of, i, round);        \
            at[i].place = (of * 7 + i) % 11;                 \
        }                                                    \
    }
PAIR_FILLER(fill_2int, int)
PAIR_FILLER(fill_float_int, float)
PAIR_FILLER(fill_double_int, double)
PAIR_FILLER(fill_long_int, long)
PAIR_FILLER(fill_short_int, short)

/* One reduction to every root in turn, or to all, in place or not; `extent` bytes from element to
 * element. */
static void reduce(MPI_Comm comm, MPI_Datatype type, size_t extent, MPI_Op op, filler fill,
                   int count, int round, int exact)
{
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    const size_t bytes = (size_t)count * extent;
    char* const room = malloc(4 * bytes + 64);
    char *const own = room, *const expected = room + bytes, *const got = room + 2 * bytes,
                *const other = room + 3 * bytes;
    memset(room, 0, 4 * bytes + 64);
    fill(expected, count, n - 1, round);
    for (int r = n - 2; r >= 0; --r) {
        memset(own, 0, bytes);
        fill(own, count, r, round);
        MPI_Reduce_local(own, expected, count, type, op);
    }
    fill(own, count, me, round);
    const int root = round % (n + 1) - 1; /* -1: all */
    /* MPICH 4.0 crashes when the result of MPI_Reduce is wanted in place by another rank than 0. */
    const int in_place = (round / 2) % 2 == 1 && !(library_too && root > 0);
    /* With many ranks the library's own take most of the time. */
    const int ask_library = exact && round % 5 == 0;
    memset(got, 0x5a, bytes + 0);
    memset(room + 4 * bytes, 0x77, 64);
    /* Gaps stay as they are, so both start from the same bytes. */
    memcpy(got, own, bytes);
    memcpy(other, own, bytes);
    if (root < 0) {
        MPI_Allreduce(in_place ? MPI_IN_PLACE : own, got, count, type, op, comm);
        if (ask_library) {
            PMPI_Allreduce(own, other, count, type, op, comm);
        }
    } else {
        MPI_Reduce(in_place && me == root ? MPI_IN_PLACE : own, me == root ? got : NULL, count,
                   type, op, root, comm);
        if (ask_library) {
            PMPI_Reduce(own, other, count, type, op, root, comm);
        }
    }
    /* The processor's long double has ten bytes; what is in the rest of its place does not count.
     */
    const size_t meant = type == MPI_LONG_DOUBLE && LDBL_MANT_DIG == 64 ? 10 : extent;
    for (size_t i = 0; i < bytes && (root < 0 || root == me); ++i) {
        if (i % extent >= meant) {
            continue;
        }
        if (got[i] != expected[i]) {
            fail(in_place ? "wrong result in place" : "wrong result", (long)(i / extent), root);
        }
        if (ask_library && other[i] != expected[i]) {
            fail("the library has another result", (long)(i / extent), root);
        }
    }
    for (int i = 0; i < 64; ++i) {
        if (room[4 * bytes + (size_t)i] != 0x77) {
            fail("written behind the end", i, root);
        }
    }
    free(room);
}

static const int counts[] = {1,   2,   3,   5,    6,    7,    12,    13,
                             128, 129, 500, 1030, 2049, 5000, 20000, 70001};
enum { count_kinds = sizeof counts / sizeof *counts };

static void case_types(MPI_Comm comm)
{
    const struct {
        const char* name;
        MPI_Datatype type;
        size_t extent;
        enum kind kind;
        filler fill;
    } types[] = {
        {"MPI_DOUBLE", MPI_DOUBLE, 8, real, fill_double},
        {"MPI_INT", MPI_INT, 4, whole, fill_i32},
        {"MPI_FLOAT", MPI_FLOAT, 4, real, fill_float},
        {"MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, 1, whole, fill_i8},
        {"MPI_UINT8_T", MPI_UINT8_T, 1, whole, fill_i8},
        {"MPI_SHORT", MPI_SHORT, 2, whole, fill_i16},
        {"MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, 2, whole, fill_u16},
        {"MPI_UNSIGNED", MPI_UNSIGNED, 4, whole, fill_u32},
        {"MPI_LONG", MPI_LONG, 8, whole, fill_i64},
        {"MPI_UINT64_T", MPI_UINT64_T, 8, whole, fill_u64},
        {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, sizeof(long double), real, fill_long_double},
        {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, 16, complexes, fill_complex},
        {"MPI_C_BOOL", MPI_C_BOOL, 1, truth, fill_bool},
        {"MPI_BYTE", MPI_BYTE, 1, bytes_only, fill_i8},
        {"MPI_2INT", MPI_2INT, 8, pairs, fill_2int},
        {"MPI_FLOAT_INT", MPI_FLOAT_INT, 8, pairs, fill_float_int},
        {"MPI_DOUBLE_INT", MPI_DOUBLE_INT, 16, pairs, fill_double_int},
        {"MPI_LONG_INT", MPI_LONG_INT, 16, pairs, fill_long_int},
        {"MPI_SHORT_INT", MPI_SHORT_INT, 8, pairs, fill_short_int},
    };
    const struct {
        const char* name;
        MPI_Op op;
        unsigned kinds;
    } ops[] = {
        {"MPI_SUM", MPI_SUM, 1 << whole | 1 << real | 1 << complexes},
        {"MPI_PROD", MPI_PROD, 1 << whole | 1 << real},
        {"MPI_MAX", MPI_MAX, 1 << whole | 1 << real},
        {"MPI_MIN", MPI_MIN, 1 << whole | 1 << real},
        {"MPI_BAND", MPI_BAND, 1 << whole | 1 << bytes_only},
        {"MPI_BOR", MPI_BOR, 1 << whole | 1 << bytes_only},
        {"MPI_BXOR", MPI_BXOR, 1 << whole | 1 << bytes_only},
        {"MPI_LAND", MPI_LAND, 1 << whole | 1 << truth},
        {"MPI_LOR", MPI_LOR, 1 << whole | 1 << truth},
        {"MPI_LXOR", MPI_LXOR, 1 << whole | 1 << truth},
        {"MPI_MINLOC", MPI_MINLOC, 1 << pairs},
        {"MPI_MAXLOC", MPI_MAXLOC, 1 << pairs},
    };
    int round = 0;
    char name[100];
    for (unsigned t = 0; t < sizeof types / sizeof *types; ++t) {
        for (unsigned o = 0; o < sizeof ops / sizeof *ops; ++o) {
            for (int c = 0; (ops[o].kinds & 1U << types[t].kind) != 0 && c < count_kinds; ++c) {
                /* All sizes for the first types, else some of them. */
                if (t < 2 || (c + (int)(t + o)) % 4 == 0) {
                    snprintf(name, sizeof name, "%s of %d %s", ops[o].name, counts[c],
                             types[t].name);
                    doing = name;
                    /* A product of many small numbers is exact as long as there are few ranks. */
                    reduce(comm, types[t].type, types[t].extent, ops[o].op, types[t].fill,
                           counts[c], round++, 1);
                }
            }
        }
    }
}

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

static void case_own_operations(MPI_Comm comm)
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

static void case_zero(MPI_Comm comm)
{
    doing = "nothing at all";
    int n, untouched = 4711;
    MPI_Comm_size(comm, &n);
    for (int root = 0; root < n; ++root) {
        MPI_Reduce(NULL, NULL, 0, MPI_INT, MPI_SUM, root, comm);
        MPI_Allreduce(NULL, NULL, 0, MPI_DOUBLE, MPI_MAX, comm);
        MPI_Allreduce(MPI_IN_PLACE, &untouched, 0, MPI_INT, MPI_SUM, comm);
    }
    if (untouched != 4711) {
        fail("an empty reduction wrote something", 0, 0);
    }
}

/* Those that give run ahead of the one that receives, who now and then is late; small and large in
 * turns. */
static void case_ahead(MPI_Comm comm)
{
    doing = "many reductions to one rank";
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    enum { most = 6000 };
    long* const own = malloc(most * sizeof(long));
    long* const got = malloc(most * sizeof(long));
    for (int i = 0; i < 600; ++i) {
        const int root = i / 150 % n, count = i % 20 == 19 ? most : i % 5 == 4 ? 1000 : 1 + i % 7;
        for (int j = 0; j < count; ++j) {
            own[j] = i + j * (me + 1L);
        }
        if (me == root && i % 40 == 0) {
            usleep(500);
        }
        MPI_Reduce(own, got, count, MPI_LONG, MPI_SUM, root, comm);
        for (int j = 0; j < count && me == root; ++j) {
            if (got[j] != (long)n * i + j * ((long)n * (n + 1) / 2)) {
                fail("wrong sum", j, root);
            }
        }
    }
    free(own);
    free(got);
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

static void case_order(MPI_Comm comm)
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

static void case_communicators(MPI_Comm comm)
{
    MPI_Comm copy, half, backwards;
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_split(comm, rank % 2, -rank, &half);
    MPI_Comm_split(comm, 0, -rank, &backwards);
    const MPI_Comm all[] = {copy, half, backwards, MPI_COMM_SELF};
    for (int k = 0; k < 4; ++k) {
        doing = "another communicator";
        for (int c = 0; c < count_kinds; ++c) {
            reduce(all[k], MPI_INT, 4, MPI_SUM, fill_i32, counts[c], c, 1);
        }
    }
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Comm_free(&backwards);
    if (size < 2) {
        return;
    }
    doing = "intercommunicator";
    MPI_Comm side, both;
    const int left = rank < size / 2;
    MPI_Comm_split(comm, left, rank, &side);
    MPI_Intercomm_create(side, 0, comm, left ? size / 2 : 0, 7, &both);
    int others;
    MPI_Comm_remote_size(both, &others);
    for (int i = 0; i < 10; ++i) {
        int one = left ? 1 : 100, sum = 0;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
        if (sum != others * (left ? 100 : 1)) {
            fail("wrong sum", i, 0);
        }
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
}

/* More than 2^31 bytes; 2.1 GiB per rank. */
static void case_huge(MPI_Comm comm)
{
    doing = "huge";
    const long count = (1L << 31) / 8 + 1000;
    int n;
    MPI_Comm_size(comm, &n);
    double* const values = malloc((size_t)count * sizeof(double));
    for (long i = 0; i < count; ++i) {
        values[i] = (double)(i % 1000 + rank);
    }
    for (int i = 0; i < 5; ++i) {
        MPI_Barrier(comm);
    }
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_DOUBLE, MPI_SUM, comm);
    for (long i = 0; i < count; i += 61) {
        if (values[i] != (double)(i % 1000) * n + (double)(n * (n - 1) / 2)) {
            fail("wrong sum", i, -1);
        }
    }
    const int root = n - 1;
    MPI_Reduce(rank == root ? MPI_IN_PLACE : values, rank == root ? values : NULL, (int)count,
               MPI_DOUBLE, MPI_MAX, root, comm);
    for (long i = 0; i < count; i += 61) {
        if (values[i] != (double)(i % 1000) * n + (double)(n * (n - 1) / 2)) {
            fail("wrong maximum", i, root);
        }
    }
    free(values);
}

static const struct test_case cases[] = {
    {"types", case_types, 1}, {"own_operations", case_own_operations, 1}, {"zero", case_zero, 1},
    {"ahead", case_ahead, 1}, {"communicators", case_communicators, 1},   {"order", case_order, 0},
    {"huge", case_huge, 0},
};

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        library_too = library_too || strcmp(argv[i], "--library-too") == 0;
    }
    return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
