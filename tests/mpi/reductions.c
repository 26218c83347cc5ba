/* What MPI promises of MPI_Reduce and MPI_Allreduce, case by case: run under any MPI, with and
   without ours. What each rank gives is known to all, so each works out what must come, by
   MPI_Reduce_local in the order of ranks, and compares bytes; the library's own answer (PMPI_) must
   be the same, which tells mistakes of this program from ours. Prints "ok CASES" and exits 0, or
   says what was wrong and aborts. Arguments: names of cases; none: all but those that must be
   named.
   --library-too: the library does some of it. */
#include "reductions.h"
#include "cases.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int library_too; /* some calls end up at the library */
const char* doing = "";

void fail(const char* what, long at, int root)
{
    fprintf(stderr, "reductions: rank %d of %d: %s: %s, element %ld, root %d\n", rank, size, doing,
            what, at, root);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int number(int of, long i, int round)
{
    return (int)((i * 7 + of * 5 + round * 3 + i / 97) % 4) + (i % 3 == of % 3 ? 1 : 0);
}

void reduce(MPI_Comm comm, MPI_Datatype type, size_t extent, MPI_Op op, filler fill, int count,
            int round, int exact)
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

const int counts[count_kinds] = {1,   2,   3,   5,    6,    7,    12,    13,
                                 128, 129, 500, 1030, 2049, 5000, 20000, 70001};

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

static void fill_ints(void* to, int count, int of, int round)
{
    int* const ints = to;
    for (int i = 0; i < count; ++i) {
        ints[i] = number(of, i, round) - 2;
    }
}

static void sums(MPI_Comm comm)
{
    doing = "another communicator";
    for (int c = 0; c < count_kinds; ++c) {
        reduce(comm, MPI_INT, 4, MPI_SUM, fill_ints, counts[c], c, 1);
    }
}

static void sums_of_the_others(MPI_Comm both, int left, int others)
{
    doing = "intercommunicator";
    for (int i = 0; i < 10; ++i) {
        int one = left ? 1 : 100, sum = 0;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
        if (sum != others * (left ? 100 : 1)) {
            fail("wrong sum", i, 0);
        }
    }
}

static void case_communicators(MPI_Comm comm)
{
    on_other_communicators(comm, sums);
    on_intercommunicator(comm, sums_of_the_others);
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
