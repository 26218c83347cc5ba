/* What MPI promises of MPI_Allgather and MPI_Barrier, and of all collectives in turns: run under
   any MPI, with and without ours. What each rank gives is known to all, so every byte is compared;
   guard bytes must stay. Prints "ok CASES" and exits 0, or says what was wrong and aborts.
   Arguments: names of cases; none: all but those that must be named. */
#define _GNU_SOURCE
#include "together.h"
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char* doing = "";

void fail(const char* what, long at, int of)
{
    fprintf(stderr, "together: rank %d of %d: %s: %s, at %ld, of %d\n", rank, size, doing, what, at,
            of);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int expected(long i, int of, int round)
{
    return (int)(i * 31 + of * 1000003 + round * 77);
}

enum way { plain, in_place, columns, columns_in_place, ways };

/* `count` ints of every rank. Some receive them in every other place of an array, some send them
 * from every third. */
static void gather(MPI_Comm comm, int count, int round, enum way way, MPI_Datatype every_third,
                   MPI_Datatype every_other)
{
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    const int spread = way == columns || way == columns_in_place ? 2 : 1;
    /* What is sent is each rank's own affair. */
    const int thinned = way != in_place && way != columns_in_place && (me + round) % 2 == 1 ? 3 : 1;
    const long all = (long)count * n * spread;
    int* const room = malloc(((size_t)all + 16) * sizeof(int));
    int* const got = room + 8;
    int* const own = malloc((size_t)count * (size_t)thinned * sizeof(int));
    for (long i = 0; i < all + 16; ++i) {
        room[i] = -5;
    }
    for (long i = 0; i < count; ++i) {
        own[i * thinned] = expected(i, me, round);
        if (way == in_place || way == columns_in_place) {
            got[((long)me * count + i) * spread] = expected(i, me, round);
        }
    }
    const void* const from = way == in_place || way == columns_in_place ? MPI_IN_PLACE : own;
    MPI_Allgather(from, count, thinned == 3 ? every_third : MPI_INT, got, count,
                  spread == 2 ? every_other : MPI_INT, comm);
    for (int r = 0; r < n; ++r) {
        for (long i = 0; i < count; ++i) {
            if (got[((long)r * count + i) * spread] != expected(i, r, round)) {
                fail("wrong number", i, r);
            }
            if (spread == 2 && got[((long)r * count + i) * 2 + 1] != -5) {
                fail("a gap was written", i, r);
            }
        }
    }
    for (int i = 0; i < 8; ++i) {
        if (room[i] != -5 || got[all + i] != -5) {
            fail("guard overwritten", i, 0);
        }
    }
    free(room);
    free(own);
}

static const int counts[] = {1, 2, 11, 12, 13, 14, 100, 256, 257, 1000, 5000, 30001, 200000};
enum { count_kinds = sizeof counts / sizeof *counts };

static void gathers(MPI_Comm comm, int largest)
{
    MPI_Datatype every_third, every_other;
    MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &every_third);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_other);
    MPI_Type_commit(&every_third);
    MPI_Type_commit(&every_other);
    for (int c = 0; c < count_kinds && counts[c] <= largest; ++c) {
        for (int round = 0; round < (counts[c] < 1000 ? 12 : 4); ++round) {
            gather(comm, counts[c], round, (enum way)(round % ways), every_third, every_other);
        }
    }
    MPI_Type_free(&every_third);
    MPI_Type_free(&every_other);
}

static void case_gathers(MPI_Comm comm)
{
    doing = "allgather";
    gathers(comm, 1 << 30);
}

/* A column of a matrix from each rank; the matrix's rows become the ranks' columns. And a structure
 * with a gap. */
static void case_layouts(MPI_Comm comm)
{
    doing = "matrix by columns";
    enum { rows = 700 };
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Datatype vector, column;
    MPI_Type_vector(rows, 1, n, MPI_DOUBLE, &vector);
    MPI_Type_create_resized(vector, 0, sizeof(double), &column);
    MPI_Type_commit(&column);
    double* const matrix = malloc((size_t)rows * (size_t)n * sizeof(double));
    double own[rows];
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < rows; ++i) {
            own[i] = i * 0.5 + me * 100000. + round;
        }
        for (int i = 0; i < rows * n; ++i) {
            matrix[i] = -1;
        }
        /* The others' type does not matter: in odd rounds every rank receives them in a row. */
        MPI_Allgather(own, rows, MPI_DOUBLE, matrix, round % 2 == 0 ? 1 : rows,
                      round % 2 == 0 ? column : MPI_DOUBLE, comm);
        for (int r = 0; r < n; ++r) {
            for (int i = 0; i < rows; ++i) {
                if (matrix[round % 2 == 0 ? i * n + r : r * rows + i] !=
                    i * 0.5 + r * 100000. + round) {
                    fail("wrong element", i, r);
                }
            }
        }
    }
    MPI_Type_free(&vector);
    MPI_Type_free(&column);
    free(matrix);
    doing = "pairs with gaps";
    struct pair {
        double value;
        int number;
    } mine[300];
    struct pair* const all = malloc((size_t)n * sizeof mine);
    for (int count = 1; count <= 300; count += 23) {
        for (int i = 0; i < count; ++i) {
            mine[i].value = i + 0.25 * me;
            mine[i].number = i ^ me;
        }
        MPI_Allgather(mine, count, MPI_DOUBLE_INT, all, count, MPI_DOUBLE_INT, comm);
        for (int r = 0; r < n; ++r) {
            for (int i = 0; i < count; ++i) {
                if (all[r * count + i].value != i + 0.25 * r ||
                    all[r * count + i].number != (i ^ r)) {
                    fail("wrong pair", i, r);
                }
            }
        }
    }
    free(all);
}

static void case_zero(MPI_Comm comm)
{
    doing = "nothing at all";
    int untouched = 4711;
    for (int i = 0; i < 8; ++i) {
        MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_DOUBLE, comm);
        MPI_Allgather(MPI_IN_PLACE, 3, MPI_INT, &untouched, 0, MPI_INT, comm);
    }
    if (untouched != 4711) {
        fail("an empty allgather wrote something", 0, 0);
    }
}

static void gathers_and_barrier(MPI_Comm comm)
{
    doing = "another communicator";
    gathers(comm, 5000);
    MPI_Barrier(comm);
}

static void gather_from_the_others(MPI_Comm both, int left, int others)
{
    doing = "intercommunicator";
    int* const got = malloc((size_t)others * sizeof(int));
    for (int i = 0; i < 10; ++i) {
        MPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, both);
        for (int r = 0; r < others; ++r) {
            if (got[r] != r + (left ? size / 2 : 0)) {
                fail("wrong number", i, r);
            }
        }
        MPI_Barrier(both);
    }
    free(got);
}

static void case_communicators(MPI_Comm comm)
{
    on_other_communicators(comm, gathers_and_barrier);
    on_intercommunicator(comm, gather_from_the_others);
}

/* A send too large to be eager, which ends only when its receiver, in a collective by then, takes
 * part. */
static void case_pending_send(MPI_Comm comm)
{
    doing = "pending send";
    enum { n = 4 << 20 };
    char* const large = malloc(n);
    for (int i = 0; i < 9 && size > 1; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        memset(large, rank == 0 ? i + 1 : 0, n);
        if (rank == 1) {
            MPI_Irecv(large, n, MPI_CHAR, 0, 3, comm, &request);
        }
        if (rank == 0) {
            MPI_Send(large, n, MPI_CHAR, 1, 3, comm);
        }
        int one = 1, sum = 0;
        if (i % 3 == 0) {
            MPI_Barrier(comm);
        } else {
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if ((i % 3 != 0 && sum != size) ||
            (rank == 1 && (large[0] != i + 1 || large[n - 1] != i + 1))) {
            fail("wrong message or sum", i, sum);
        }
    }
    free(large);
}

/* More than 2^31 bytes received, in place; 2.2 GiB per rank, whatever their number. */
static void case_huge(MPI_Comm comm)
{
    doing = "huge";
    int n;
    MPI_Comm_size(comm, &n);
    const long count = ((1L << 31) + (100L << 20)) / 4 / n;
    int* const all = malloc((size_t)count * (size_t)n * sizeof(int));
    for (int i = 0; i < 5; ++i) { /* set up */
        MPI_Barrier(comm);
    }
    for (long i = 0; i < count; ++i) {
        all[rank * count + i] = expected(i, rank, 0);
    }
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, (int)count, MPI_INT, comm);
    for (int r = 0; r < n; ++r) {
        for (long i = 0; i < count; i += 61) {
            if (all[r * count + i] != expected(i, r, 0)) {
                fail("wrong number", i, r);
            }
        }
    }
    free(all);
}

/* As many bytes, whose number one rank counts in elements of a mebibyte, and the others in bytes,
   more than an int holds. The parts of a receive buffer that are far from each other are the same
   memory, so that little is needed. */
static void case_counts_differ(MPI_Comm comm)
{
    doing = "counts that differ";
    enum { mebibyte = 1 << 20, window = 8 * mebibyte };
    int n;
    MPI_Comm_size(comm, &n);
    const long bytes = ((1L << 31) / n + window - 1) / window * window;
    const int memory = memfd_create("counts", MFD_CLOEXEC);
    char* const all = mmap(NULL, (size_t)(bytes * n), PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED || ftruncate(memory, (off_t)window * n) != 0) {
        fail("no memory", bytes, 0);
    }
    for (long at = 0; at < bytes * n; at += window) {
        if (mmap(all + at, window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory,
                 at / bytes * window) == MAP_FAILED) {
            fail("no window", at, 0);
        }
    }
    char* const own = malloc(mebibyte);
    memset(own, 1 + rank, mebibyte);
    MPI_Datatype block, same;
    MPI_Type_contiguous(mebibyte, MPI_CHAR, &block);
    MPI_Type_create_resized(block, 0, 0, &same);
    MPI_Type_commit(&block);
    MPI_Type_commit(&same);
    const int blocks = (int)(bytes / mebibyte);
    if (rank == 0) {
        MPI_Allgather(own, blocks, same, all, blocks, block, comm);
    } else {
        MPI_Allgather(own, blocks, same, all, (int)bytes, MPI_CHAR, comm);
    }
    for (int r = 0; r < n; ++r) {
        for (long i = 0; i < window; i += 61) {
            if (all[r * bytes + i] != 1 + r) {
                fail("wrong byte", i, r);
            }
        }
    }
    MPI_Type_free(&block);
    MPI_Type_free(&same);
    free(own);
    munmap(all, (size_t)(bytes * n));
    close(memory);
}

static const struct test_case cases[] = {
    {"gathers", case_gathers, 1},
    {"layouts", case_layouts, 1},
    {"zero", case_zero, 1},
    {"barriers", case_barriers, 1},
    {"mixed", case_mixed, 1},
    {"communicators", case_communicators, 1},
    {"pending_send", case_pending_send, 1},
    {"huge", case_huge, 0},
    {"counts_differ", case_counts_differ, 0},
};

int main(int argc, char** argv)
{
    return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
