/* What MPI promises of MPI_Bcast, case by case: run under any MPI, with and without ours. Every
   case fills the root's buffer with bytes that depend on position, root and round, broadcasts, and
   compares everywhere; guard bytes around the buffers must stay. Prints "ok CASES" and exits 0, or
   says what was wrong and aborts. Arguments: names of cases; none: all. --rounds N repeats each
   (default 2). */
#include "semantics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int world_rank, world_size, rounds = 2;
unsigned salt;

void fail(const char* what, int root, long at)
{
    fprintf(stderr, "semantics: rank %d of %d: %s (root %d, at %ld)\n", world_rank, world_size,
            what, root, at);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

unsigned char expected(long i, int root)
{
    return (unsigned char)((unsigned long)i * 31 + (unsigned)root * 7 + salt +
                           ((unsigned long)i >> 8));
}

void plain(MPI_Comm comm, long n, int root, MPI_Datatype type, int count)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    unsigned char* const room = malloc((size_t)n + 32);
    unsigned char* const buffer = room + 16 + (salt % 8 == 0 ? 1 : 0);
    memset(room, 0xA5, (size_t)n + 32);
    for (long i = 0; rank == root && i < n; ++i) {
        buffer[i] = expected(i, root);
    }
    MPI_Bcast(buffer, count, type, root, comm);
    for (long i = 0; i < n; ++i) {
        if (buffer[i] != expected(i, root)) {
            fail("wrong byte", root, i);
        }
    }
    for (unsigned char* p = room; p < room + n + 32; ++p) {
        if ((p < buffer || p >= buffer + n) && *p != 0xA5) {
            fail("guard byte overwritten", root, (long)(p - buffer));
        }
    }
    free(room);
}

static void case_sizes(MPI_Comm comm)
{
    static const long sizes[] = {1,     2,     4,      7,      8,      16,      47,
                                 48,    49,    96,     97,     511,    512,     513,
                                 1000,  4095,  4096,   4097,   8192,   10000,   65535,
                                 65536, 65537, 131072, 300001, 524288, 1048577, 3000000};
    int size;
    MPI_Comm_size(comm, &size);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (int root = 0; root < size; ++root) {
            ++salt;
            plain(comm, sizes[i], root, MPI_BYTE, (int)sizes[i]);
        }
    }
}

static void case_many_small(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < 5000; ++i) {
        const int root = i / 700 % size;
        long value = rank == root ? i * 3L + root : -1;
        MPI_Bcast(&value, 1, MPI_LONG, root, comm);
        if (value != i * 3L + root) {
            fail("wrong value in a row of small messages", root, i);
        }
    }
    for (int i = 0; i < 500; ++i) {
        const int root = (i * 5 + i / 7) % size;
        double values[300];
        for (int j = 0; j < 300; ++j) {
            values[j] = rank == root ? i + j * 0.5 : -1;
        }
        const int n = 1 + i * 37 % 300;
        MPI_Bcast(values, n, MPI_DOUBLE, root, comm);
        for (int j = 0; j < n; ++j) {
            if (values[j] != i + j * 0.5) {
                fail("wrong value in mixed messages", root, i);
            }
        }
    }
}

static void case_zero(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    for (int root = 0; root < size; ++root) {
        MPI_Bcast(NULL, 0, MPI_INT, root, comm);
        MPI_Datatype nothing;
        MPI_Type_contiguous(0, MPI_INT, &nothing);
        MPI_Type_commit(&nothing);
        int untouched = 4711;
        MPI_Bcast(&untouched, 5, nothing, root, comm);
        MPI_Type_free(&nothing);
        if (untouched != 4711) {
            fail("an empty broadcast wrote something", root, 0);
        }
    }
}

/* A send too large to be eager is pending while its receiver waits in a broadcast whose root waits
 * for that send. */
static void case_pending_send(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    if (size < 2) {
        return;
    }
    enum { n = 4 << 20 };
    char* const large = malloc(n);
    for (int i = 0; i < 8; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        memset(large, rank == 0 ? i + 1 : 0, n);
        if (rank == 1) {
            MPI_Irecv(large, n, MPI_CHAR, 0, 3, comm, &request);
        }
        if (rank == 0) {
            MPI_Send(large, n, MPI_CHAR, 1, 3, comm); /* ends only when rank 1 takes part, which is
                                                         in MPI_Bcast */
        }
        int value = rank == 0 ? i : -1;
        MPI_Bcast(&value, 1, MPI_INT, 0, comm);
        if (value != i) {
            fail("wrong value beside a pending send", 0, i);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 1 && (large[0] != i + 1 || large[n - 1] != i + 1)) {
            fail("wrong message beside a broadcast", 0, i);
        }
    }
    free(large);
}

/* Broadcasts between others' messages and collectives. */
static void case_mixed(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < 60; ++i) {
        const int root = i % size;
        int value = rank == root ? i : -1, sum = 0, from = -1;
        MPI_Bcast(&value, 1, MPI_INT, root, comm);
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 5, &from, 1, MPI_INT,
                     (rank + size - 1) % size, 5, comm, MPI_STATUS_IGNORE);
        if (sum != i * size || from != (rank + size - 1) % size) {
            fail("wrong result beside other operations", root, i);
        }
        if (i % 10 == 0) {
            MPI_Barrier(comm);
        }
    }
}

static const struct {
    const char* name;
    void (*run)(MPI_Comm);
    int by_default;
} cases[] = {
    {"sizes", case_sizes, 1},
    {"many_small", case_many_small, 1},
    {"zero", case_zero, 1},
    {"layouts", case_layouts, 1},
    {"structures", case_structures, 1},
    {"fortran_kinds", case_fortran_kinds, 1},
    {"communicators", case_communicators, 1},
    {"intercommunicator", case_intercommunicator, 1},
    {"pending_send", case_pending_send, 1},
    {"mixed", case_mixed, 1},
    {"many_communicators", case_many_communicators, 0},
    /* Libraries themselves may take memory. */
    {"large_elements", case_large_elements, 0},
    {"huge", case_huge, 0},
};

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    int run = 0, named = 0, leave = 0;
    MPI_Comm all = MPI_COMM_WORLD;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--leave") == 0) {
            leave = 1;
        } else {
            named = 1;
        }
    }
    if (leave) {
        MPI_Comm_dup(MPI_COMM_WORLD, &all);
    }
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; ++c) {
        int wanted = !named && cases[c].by_default;
        for (int i = 1; i < argc; ++i) {
            wanted = wanted || strcmp(argv[i], cases[c].name) == 0;
        }
        for (int r = 0; wanted && r < rounds; ++r) {
            cases[c].run(all);
            ++run;
        }
    }
    if (leave) {
        /* For an MPI whose MPI_Finalize hangs by itself; freed, so that what is told when a
         * communicator goes is told. */
        MPI_Comm_free(&all);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Finalize();
    }
    if (world_rank == 0) {
        printf("ok %d\n", run);
    }
    if (leave) {
        fflush(NULL);
        _exit(run > 0 ? 0 : 2);
    }
    return run > 0 ? 0 : 2;
}
