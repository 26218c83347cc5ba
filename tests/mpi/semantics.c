/* What MPI promises of MPI_Bcast, case by case: run under any MPI, with and without ours. Every
   case fills the root's buffer with bytes that depend on position, root and round, broadcasts, and
   compares everywhere; guard bytes around the buffers must stay. Prints "ok CASES" and exits 0, or
   says what was wrong and aborts. Arguments: names of cases; none: all. --rounds N repeats each
   (default 2). */
#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int world_rank, world_size, rounds = 2;
static unsigned salt;

static void fail(const char* what, int root, long at)
{
    fprintf(stderr, "semantics: rank %d of %d: %s (root %d, at %ld)\n", world_rank, world_size,
            what, root, at);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static unsigned char expected(long i, int root)
{
    return (unsigned char)((unsigned long)i * 31 + (unsigned)root * 7 + salt +
                           ((unsigned long)i >> 8));
}

/* n bytes in a row, with guards. */
static void plain(MPI_Comm comm, long n, int root, MPI_Datatype type, int count)
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

/* A row of a matrix is sent, columns are received, and other pairs of types with one signature. */
static void case_layouts(MPI_Comm comm)
{
    enum { most = 3000 };
    static double matrix[most * 3];
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    static const int lengths[] = {1, 3, 6, 7, 40, 129, 1000, most};
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; ++l) {
        const int n = lengths[l];
        MPI_Datatype column, reversed, spaced;
        MPI_Type_vector(n, 1, 3, MPI_DOUBLE, &column);
        int* const places = malloc((size_t)n * sizeof(int));
        for (int i = 0; i < n; ++i) {
            places[i] = n - 1 - i;
        }
        MPI_Type_create_indexed_block(n, 1, places, MPI_DOUBLE, &reversed);
        MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &spaced);
        MPI_Type_commit(&column);
        MPI_Type_commit(&reversed);
        MPI_Type_commit(&spaced);
        for (int root = 0; root < size; ++root) {
            for (int i = 0; i < most * 3; ++i) {
                matrix[i] = -1;
            }
            /* Which layout a rank has depends on rank and root; all have n doubles in all. */
            const int way = (rank + root + (int)l) % 4;
            const int step = way == 1 ? 3 : way == 3 ? 2 : 1;
            for (int i = 0; rank == root && i < n; ++i) {
                matrix[way == 2 ? n - 1 - i : i * step] = i + 0.25 * root;
            }
            if (way == 0) {
                MPI_Bcast(matrix, n, MPI_DOUBLE, root, comm);
            } else {
                MPI_Bcast(matrix, way == 3 ? n : 1,
                          way == 1   ? column
                          : way == 2 ? reversed
                                     : spaced,
                          root, comm);
            }
            for (int i = 0; i < n; ++i) {
                if (matrix[way == 2 ? n - 1 - i : i * step] != i + 0.25 * root) {
                    fail("wrong element with a derived type", root, i);
                }
            }
            for (int i = 0; step > 1 && i < n; ++i) {
                if (matrix[i * step + 1] != -1) {
                    fail("a gap of a derived type was written", root, i);
                }
            }
        }
        free(places);
        MPI_Type_free(&column);
        MPI_Type_free(&reversed);
        MPI_Type_free(&spaced);
    }
}

/* Large layouts: elements of many fragments, pairs with gaps, addresses from MPI_BOTTOM, the lower
 * bound not zero. */
static void case_structures(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    enum { n = 20000 };
    struct pair {
        double value;
        int number;
    };
    static struct pair pairs[n];
    static int strided[n * 2];
    static char here[100], there[50];
    MPI_Datatype big, absolute, shifted;
    MPI_Type_vector(n, 1, 2, MPI_INT, &big);
    MPI_Aint places[2];
    MPI_Get_address(here, &places[0]);
    MPI_Get_address(there, &places[1]);
    const int counts[2] = {100, 50};
    const MPI_Datatype types[2] = {MPI_CHAR, MPI_CHAR};
    MPI_Type_create_struct(2, counts, places, types, &absolute);
    const int one = 1;
    const MPI_Aint behind = 8;
    MPI_Type_create_hindexed(1, &one, &behind, MPI_INT, &shifted);
    MPI_Type_commit(&big);
    MPI_Type_commit(&absolute);
    MPI_Type_commit(&shifted);
    for (int root = 0; root < size; ++root) {
        for (int i = 0; i < n; ++i) {
            pairs[i].value = rank == root ? i * 0.5 + root : -1;
            pairs[i].number = rank == root ? i + root : -1;
            strided[2 * i] = rank == root ? i ^ root : -1;
            strided[2 * i + 1] = 77;
        }
        memset(here, rank == root ? 'a' + root : 0, sizeof here);
        memset(there, rank == root ? 'A' + root : 0, sizeof there);
        int small[4] = {1, 2, rank == root ? 90 + root : 3, 4};
        MPI_Bcast(pairs, n, MPI_DOUBLE_INT, root, comm);
        MPI_Bcast(strided, 1, big, root, comm);
        MPI_Bcast(MPI_BOTTOM, 1, absolute, root, comm);
        MPI_Bcast(small, 1, shifted, root, comm);
        for (int i = 0; i < n; ++i) {
            if (pairs[i].value != i * 0.5 + root || pairs[i].number != i + root) {
                fail("wrong pair", root, i);
            }
            if (strided[2 * i] != (i ^ root) || strided[2 * i + 1] != 77) {
                fail("wrong strided element", root, i);
            }
        }
        if (here[99] != 'a' + root || there[0] != 'A' + root || there[49] != 'A' + root) {
            fail("wrong bytes at absolute addresses", root, 0);
        }
        if (small[2] != 90 + root || small[0] != 1 || small[1] != 2 || small[3] != 4) {
            fail("wrong element behind a lower bound", root, 0);
        }
    }
    MPI_Type_free(&big);
    MPI_Type_free(&absolute);
    MPI_Type_free(&shifted);
}

static void some(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 8; ++i) {
        for (int root = 0; root < size; ++root) {
            ++salt;
            plain(comm, 8 << (i * 2), root, MPI_BYTE, 8 << (i * 2));
        }
    }
}

static void case_communicators(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm copy, half, node, backwards;
    MPI_Comm_dup(comm, &copy);
    some(copy);
    MPI_Comm_split(comm, rank % 2, -rank, &half);
    const unsigned common = salt;
    salt = common + 1000;
    some(half);
    salt = common + 2000;
    MPI_Comm_split(comm, 0, -rank, &backwards);
    some(backwards);
    salt = common + 3000;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    some(node);
    salt = common + 4000;
    some(MPI_COMM_SELF);
    salt = common + 5000;
    some(comm);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Comm_free(&backwards);
    MPI_Comm_free(&node);
}

static void case_intercommunicator(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    if (size < 2) {
        return;
    }
    MPI_Comm side, both;
    const int left = rank < size / 2;
    MPI_Comm_split(comm, left, rank, &side);
    MPI_Intercomm_create(side, 0, comm, left ? size / 2 : 0, 7, &both);
    for (int i = 0; i < 10; ++i) {
        int value = left && rank == 0 ? 100 + i : -1;
        MPI_Bcast(&value, 1, MPI_INT, left ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, both);
        if (!left && value != 100 + i) {
            fail("wrong value over an intercommunicator", 0, i);
        }
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
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

static long mapped_segments(void)
{
    long n = 0;
    char line[512];
    FILE* const f = fopen("/proc/self/maps", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        n += strstr(line, "artel") != NULL && strstr(line, ".so") == NULL;
    }
    if (f != NULL) {
        fclose(f);
    }
    return n;
}

static void case_many_communicators(MPI_Comm comm)
{
    const long before = mapped_segments();
    for (int i = 0; i < 500; ++i) {
        MPI_Comm copy;
        MPI_Comm_dup(comm, &copy);
        int rank, value;
        MPI_Comm_rank(copy, &rank);
        for (int j = 0; j < 6; ++j) {
            value = rank == 0 ? i * 10 + j : -1;
            MPI_Bcast(&value, 1, MPI_INT, 0, copy);
            if (value != i * 10 + j) {
                fail("wrong value on a short-lived communicator", 0, i);
            }
        }
        MPI_Comm_free(&copy);
    }
    /* Four are kept at most for later communicators of the same ranks (most_spares), each mapped in
     * a few parts; without that bound all 500 could be. */
    if (mapped_segments() > before + 32) {
        fail("segments of freed communicators are still mapped", 0, mapped_segments());
    }
}

/* As much in one element: with gaps, whose sender has the same mebibyte again and again, or as
   programs make them for lengths that no int holds, of blocks and the rest. `buffer` has room for a
   gap behind each block. */
static void huge_element(MPI_Comm comm, unsigned char* buffer, long n)
{
    enum { block = 1 << 20, half = block / 2 };
    const int blocks = (int)(n / block), counts[] = {blocks, (int)(n % block)};
    const MPI_Aint places[] = {0, (MPI_Aint)blocks * block};
    MPI_Datatype halves, repeated, gaps, parts[] = {MPI_DATATYPE_NULL, MPI_BYTE}, row;
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Type_vector(2, half, half + 1, MPI_BYTE, &halves);
    MPI_Type_create_hvector(blocks, 1, 0, halves, &repeated);
    MPI_Type_create_hvector(blocks, 1, block + 1, halves, &gaps);
    MPI_Type_contiguous(block, MPI_BYTE, &parts[0]);
    MPI_Type_create_struct(2, counts, places, parts, &row);
    MPI_Type_commit(&repeated);
    MPI_Type_commit(&gaps);
    MPI_Type_commit(&row);
    for (int round = 0; round < 2; ++round) {
        const long stride = round == 0 ? block : block + 1;
        memset(buffer, 0, (size_t)n);
        for (long i = 0; rank == 0 && i < block + 1; ++i) {
            buffer[i] = expected(i, round);
        }
        MPI_Bcast(buffer, 1, rank == 0 ? repeated : round == 0 ? row : gaps, 0, comm);
        for (long i = 0; rank != 0 && i < blocks; ++i) {
            for (long at = i % 509; at < block; at += 509) {
                const long gap = at >= half;
                if (buffer[i * stride + at + gap * round] != expected(at + gap, round)) {
                    fail("wrong byte of a huge element", round, i * stride + at);
                }
            }
        }
    }
    MPI_Type_free(&halves);
    MPI_Type_free(&parts[0]);
    MPI_Type_free(&repeated);
    MPI_Type_free(&gaps);
    MPI_Type_free(&row);
}

/* More than 2^31 bytes, by a type of a mebibyte; needs 2.1 GiB per rank. Only when named. */
static void case_huge(MPI_Comm comm)
{
    const long mib = 1 << 20, n = 2049 * mib;
    int rank;
    MPI_Comm_rank(comm, &rank);
    unsigned char* const buffer = malloc((size_t)(n + n / mib));
    MPI_Datatype block;
    MPI_Type_contiguous((int)mib, MPI_BYTE, &block);
    MPI_Type_commit(&block);
    for (long i = 0; rank == 0 && i < n; i += 509) {
        buffer[i] = expected(i, 0);
    }
    for (int i = 0; i < 5; ++i) {
        int value = i;
        MPI_Bcast(&value, 1, MPI_INT, 0, comm);
    }
    MPI_Bcast(buffer, (int)(n / mib), block, 0, comm);
    for (long i = 0; i < n; i += 509) {
        if (buffer[i] != expected(i, 0)) {
            fail("wrong byte of a huge message", 0, i);
        }
    }
    huge_element(comm, buffer, n);
    MPI_Type_free(&block);
    free(buffer);
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
    {"communicators", case_communicators, 1},
    {"intercommunicator", case_intercommunicator, 1},
    {"pending_send", case_pending_send, 1},
    {"mixed", case_mixed, 1},
    {"many_communicators", case_many_communicators, 0},
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
