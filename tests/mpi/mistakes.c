/* Calls with wrong arguments: the answer must be the library's own, in every rank, and the calls
   after it must be right. The library is asked first, by the names that no shim stands before, so
   it is known what each MPI says itself; where it finds nothing wrong, the call is no mistake here.

   The communicator returns its errors while MPI_COMM_WORLD's end the program: so nothing may be
   asked of the library on the way that fails there. Prints "ok CASES" and exits 0, or says what was
   wrong and aborts. Arguments: names of cases. */
#include "cases.h"

static void fail(const char* what, const char* mistake, long at)
{
    fprintf(stderr, "mistakes: rank %d of %d: %s: %s, at %ld\n", rank, size, mistake, what, at);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

enum { n = 40, most_ranks = 16, root = 1 };

/* What the calls work on; the longest message is the longest of any type below. */
static int in[4 * n], out[4 * n * most_ranks];
static MPI_Comm comm;
static MPI_Datatype uncommitted, gaps;
static MPI_Op own;

static void add(void* a, void* b, int* count, MPI_Datatype* type)
{
    (void)type;
    for (int i = 0; i < *count; ++i) {
        ((int*)b)[i] += ((int*)a)[i];
    }
}

/* Each mistake calls `from_library ? PMPI_x : MPI_x`. */
#define EITHER(name) (from_library ? PMPI_##name : MPI_##name)

#define BCAST(...) return EITHER(Bcast)(__VA_ARGS__, comm)
#define REDUCE(...) return EITHER(Reduce)(__VA_ARGS__, comm)
#define ALLREDUCE(...) return EITHER(Allreduce)(__VA_ARGS__, comm)
#define ALLGATHER(...) return EITHER(Allgather)(__VA_ARGS__, comm)

#define MISTAKE(name, call)           \
    static int name(int from_library) \
    {                                 \
        call;                         \
    }
/* Nothing wrong with it in another rank than the root, which would leave a message behind. */
#define ROOTS_MISTAKE(name, call)     \
    static int name(int from_library) \
    {                                 \
        if (rank != root) {           \
            return MPI_SUCCESS;       \
        }                             \
        call;                         \
    }

MISTAKE(bcast_count, BCAST(in, -1, MPI_INT, root))
MISTAKE(bcast_root, BCAST(in, n, MPI_INT, size))
MISTAKE(bcast_negative_root, BCAST(in, n, MPI_INT, -5))
MISTAKE(bcast_no_type, BCAST(in, n, MPI_DATATYPE_NULL, root))
MISTAKE(bcast_uncommitted, BCAST(in, n, uncommitted, root))
MISTAKE(reduce_root, REDUCE(in, out, n, MPI_INT, MPI_SUM, size))
ROOTS_MISTAKE(reduce_same, REDUCE(in, in, n, MPI_INT, MPI_SUM, root))
ROOTS_MISTAKE(reduce_same_own, REDUCE(in, in, n, MPI_INT, own, root))
MISTAKE(reduce_into_place, REDUCE(in, MPI_IN_PLACE, n, MPI_INT, MPI_SUM, rank))
MISTAKE(reduce_no_op, REDUCE(in, out, n, MPI_INT, MPI_OP_NULL, root))
MISTAKE(reduce_op_of_type, REDUCE(in, out, 5, MPI_DOUBLE, MPI_BAND, root))
MISTAKE(reduce_op_of_gaps, REDUCE(in, out, 5, gaps, MPI_SUM, root))
MISTAKE(reduce_uncommitted, REDUCE(in, out, n, uncommitted, own, root))
MISTAKE(allreduce_same, ALLREDUCE(in, in, n, MPI_INT, MPI_SUM))
MISTAKE(allreduce_same_own, ALLREDUCE(in, in, n, MPI_INT, own))
MISTAKE(allreduce_into_place, ALLREDUCE(in, MPI_IN_PLACE, n, MPI_INT, MPI_SUM))
MISTAKE(allreduce_no_type, ALLREDUCE(in, out, n, MPI_DATATYPE_NULL, own))
MISTAKE(allreduce_no_op, ALLREDUCE(in, out, n, MPI_INT, MPI_OP_NULL))
MISTAKE(allreduce_op_of_type, ALLREDUCE(in, out, 5, MPI_DOUBLE, MPI_LXOR))
MISTAKE(allreduce_uncommitted, ALLREDUCE(in, out, n, uncommitted, own))
MISTAKE(allgather_count, ALLGATHER(in, n, MPI_INT, out, -1, MPI_INT))
MISTAKE(allgather_sent_count, ALLGATHER(in, -1, MPI_INT, out, n, MPI_INT))
MISTAKE(allgather_own_place, ALLGATHER(out + rank * n, n, MPI_INT, out, n, MPI_INT))
MISTAKE(allgather_into_place, ALLGATHER(in, n, MPI_INT, MPI_IN_PLACE, n, MPI_INT))
MISTAKE(allgather_no_type, ALLGATHER(in, n, MPI_INT, out, n, MPI_DATATYPE_NULL))
MISTAKE(allgather_no_sent_type, ALLGATHER(in, n, MPI_DATATYPE_NULL, out, n, MPI_INT))
MISTAKE(allgather_uncommitted, ALLGATHER(in, n, MPI_INT, out, n, uncommitted))
MISTAKE(allgather_sent_uncommitted, ALLGATHER(in, n, uncommitted, out, n, MPI_INT))
/* Mistakes that not every library survives. */
#ifdef OPEN_MPI
MISTAKE(bcast_in_place, BCAST(MPI_IN_PLACE, n, MPI_INT, root))
MISTAKE(reduce_count, REDUCE(in, out, -1, MPI_INT, MPI_SUM, root))
MISTAKE(reduce_in_place, REDUCE(MPI_IN_PLACE, out, n, MPI_INT, MPI_SUM, (rank + 1) % size))
MISTAKE(reduce_no_type, REDUCE(in, out, n, MPI_DATATYPE_NULL, MPI_SUM, root))
MISTAKE(allreduce_count, ALLREDUCE(in, out, -1, MPI_INT, MPI_SUM))
#else
MISTAKE(bcast_nowhere, BCAST(NULL, n, MPI_INT, root))
MISTAKE(bcast_gaps_nowhere, BCAST(NULL, 5, gaps, root))
MISTAKE(reduce_from_nowhere, REDUCE(NULL, out, n, MPI_INT, MPI_SUM, root))
MISTAKE(reduce_nowhere, REDUCE(in, NULL, n, MPI_INT, MPI_SUM, rank))
MISTAKE(allreduce_from_nowhere, ALLREDUCE(NULL, out, n, MPI_INT, MPI_SUM))
MISTAKE(allreduce_nowhere, ALLREDUCE(in, NULL, n, MPI_INT, MPI_SUM))
MISTAKE(allgather_nowhere, ALLGATHER(in, n, MPI_INT, NULL, n, MPI_INT))
MISTAKE(allgather_from_nowhere, ALLGATHER(NULL, n, MPI_INT, out, n, MPI_INT))
#endif

static const struct {
    const char* name;
    int (*call)(int from_library);
} mistakes[] = {
#define ROW(name) {#name, name}
    ROW(bcast_count),           ROW(bcast_root),
    ROW(bcast_negative_root),   ROW(bcast_no_type),
    ROW(bcast_uncommitted),     ROW(reduce_root),
    ROW(reduce_same),           ROW(reduce_same_own),
    ROW(reduce_into_place),     ROW(reduce_no_op),
    ROW(reduce_op_of_type),     ROW(reduce_op_of_gaps),
    ROW(reduce_uncommitted),    ROW(allreduce_same),
    ROW(allreduce_same_own),    ROW(allreduce_into_place),
    ROW(allreduce_no_type),     ROW(allreduce_no_op),
    ROW(allreduce_op_of_type),  ROW(allreduce_uncommitted),
    ROW(allgather_count),       ROW(allgather_sent_count),
    ROW(allgather_own_place),   ROW(allgather_into_place),
    ROW(allgather_no_type),     ROW(allgather_no_sent_type),
    ROW(allgather_uncommitted), ROW(allgather_sent_uncommitted),
#ifdef OPEN_MPI
    ROW(bcast_in_place),        ROW(reduce_count),
    ROW(reduce_in_place),       ROW(reduce_no_type),
    ROW(allreduce_count),
#else
    ROW(bcast_nowhere),
    ROW(bcast_gaps_nowhere),
    ROW(reduce_from_nowhere),
    ROW(reduce_nowhere),
    ROW(allreduce_from_nowhere),
    ROW(allreduce_nowhere),
    ROW(allgather_nowhere),
    ROW(allgather_from_nowhere),
#endif
};
enum { mistake_count = sizeof mistakes / sizeof *mistakes };

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    if (error != MPI_SUCCESS) {
        MPI_Error_class(error, &class);
    }
    return class;
}

/* All five once, with results that are looked at. */
static void use(const char* after, int i)
{
    int number = rank == root ? i : -1, sum = -1, all[most_ranks] = {0};
    if (MPI_Bcast(&number, 1, MPI_INT, root, comm) != MPI_SUCCESS || number != i) {
        fail("wrong broadcast", after, number);
    }
    number = rank + i;
    if (MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS ||
        sum != size * i + size * (size - 1) / 2) {
        fail("wrong allreduce", after, sum);
    }
    sum = -1;
    if (MPI_Reduce(&number, &sum, 1, MPI_INT, own, root, comm) != MPI_SUCCESS ||
        (rank == root && sum != size * i + size * (size - 1) / 2)) {
        fail("wrong reduce", after, sum);
    }
    MPI_Barrier(comm);
    if (MPI_Allgather(&number, 1, MPI_INT, all, 1, MPI_INT, comm) != MPI_SUCCESS) {
        fail("wrong allgather", after, 0);
    }
    for (int r = 0; r < size; ++r) {
        if (all[r] != r + i) {
            fail("wrong gathered number", after, r);
        }
    }
}

static void begin(MPI_Comm world)
{
    if (size < 2 || size > most_ranks) {
        fail("needs 2 to 16 ranks", "", size);
    }
    MPI_Comm_dup(world, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_contiguous(1, MPI_INT, &uncommitted);
    MPI_Op_create(add, 1, &own);
#ifdef OPEN_MPI
    /* It tells of some mistakes in a communicator as if they had been made in this one. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
}

static void end(void)
{
    MPI_Op_free(&own);
    MPI_Type_free(&gaps);
    MPI_Type_free(&uncommitted);
    MPI_Comm_free(&comm);
}

/* What a rank is told of each mistake by the library, when all ranks make it. */
static void ask_library(int* answers)
{
    for (int m = 0; m < mistake_count; ++m) {
        answers[m] = class_of(mistakes[m].call(1));
        /* A rank without an error may have sent something. */
        PMPI_Barrier(comm);
    }
}

/* Everybody makes it, again and again: before the communicator is set up, and after. */
static void case_all_ranks(MPI_Comm world)
{
    int answers[mistake_count];
    begin(world);
    ask_library(answers);
    for (int round = 0; round < 3; ++round) {
        for (int m = 0; m < mistake_count; ++m) {
            const int class = class_of(mistakes[m].call(0));
            if (class != answers[m]) {
                fail("not the library's answer", mistakes[m].name, class);
            }
        }
        use("all mistakes", round);
    }
    end();
}

/* One rank is told, and then does what the others are waiting for. */
static void case_one_rank(MPI_Comm world)
{
    int answers[mistake_count];
    begin(world);
    ask_library(answers);
    for (int m = 0; m < mistake_count; ++m) {
        if (rank == root && answers[m] != MPI_SUCCESS) {
            const int class = class_of(mistakes[m].call(0));
            if (class != answers[m]) {
                fail("not the library's answer to one", mistakes[m].name, class);
            }
        }
        use(mistakes[m].name, m);
    }
    end();
}

/* Sent and received elements do not make the same number of bytes: told to who says so. */
static void case_uneven_gather(MPI_Comm world)
{
    begin(world);
    for (int i = 0; i < 8; ++i) {
        const int few = i % 2 == 0 ? 5 : n - 1;
        for (int k = 0; k < n; ++k) {
            in[k] = 1000 * rank + k;
        }
        const int class = class_of(
            MPI_Allgather(in, rank == root ? few : n, MPI_INT, out, n, MPI_INT, comm));
        if (rank == root && class != MPI_ERR_TRUNCATE) {
            fail("wrong error class", "uneven allgather", class);
        }
        for (int r = 0; r < size; ++r) {
            for (int k = 0; k < n && r != root; ++k) {
                if (out[r * n + k] != 1000 * r + k) {
                    fail("wrong gathered number", "uneven allgather", r);
                }
            }
        }
        use("uneven allgather", i);
    }
    end();
}

static const struct test_case cases[] = {
    {"all_ranks", case_all_ranks, 1},
    {"one_rank", case_one_rank, 1},
    /* Some libraries wait for ever. */
    {"uneven_gather", case_uneven_gather, 0},
};

int main(int argc, char** argv)
{
    return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
