/* What few programs do, and what MPI promises all the same: types made with large counts, mistakes
   whose error is returned, communicators in use while they are freed. Prints "ok CASES" and exits
   0, or says what was wrong and aborts. Arguments: names of cases. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void fail(const char* what, long at)
{
    fprintf(stderr, "edges: rank %d of %d: %s, at %ld\n", rank, size, what, at);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The calls of MPI 4 with MPI_Count. Their types cannot be asked about by the older calls. */
static void case_large_counts(MPI_Comm world)
{
#if MPI_VERSION >= 4
    enum { n = 60 };
    MPI_Datatype row, rows, pairs;
    MPI_Type_contiguous_c(10, MPI_INT, &row);
    MPI_Type_contiguous(2, row, &rows);
    MPI_Type_vector_c(5, 2, 4, MPI_INT, &pairs);
    MPI_Datatype* const types[] = {&row, &rows, &pairs};
    for (int t = 0; t < 3; ++t) {
        MPI_Type_commit(types[t]);
    }
    for (int i = 0; i < 12; ++i) {
        const int root = i % size;
        for (int t = 0; t < 3; ++t) {
            int numbers[n];
            for (int k = 0; k < n; ++k) {
                numbers[k] = rank == root ? i * 100 + k : -1;
            }
            MPI_Bcast(numbers, 2, *types[t], root, world);
            const int first_gap = t == 2 ? 2 : t == 1 ? 40 : 20;
            if (numbers[first_gap - 1] != i * 100 + first_gap - 1 ||
                (rank != root && numbers[first_gap] != -1)) {
                fail("a type made with large counts", t);
            }
        }
    }
    for (int t = 0; t < 3; ++t) {
        MPI_Type_free(types[t]);
    }
#else
    (void)world;
#endif
}

/* Rank 0 sends more than the others take. A rank that takes less is told, once, in the way it has
 * asked for; and the next message is right. */
static int told;

static void listen(MPI_Comm* comm, int* error, ...)
{
    (void)comm;
    (void)error;
    ++told;
}

static void case_sizes_differ(MPI_Comm world)
{
    MPI_Comm comm;
    MPI_Errhandler counting;
    MPI_Comm_dup(world, &comm);
    MPI_Comm_create_errhandler(listen, &counting);
    /* Messages in many fragments, in one, in several control lines and in one. */
    const int sizes[][2] = {{300000, 200000}, {2000, 1500}, {80, 60}, {40, 4}};
    for (int i = 0; i < 8; ++i) {
        static char bytes[300000];
        const int sent = sizes[i / 2][0], expected = sizes[i / 2][1];
        told = 0;
        MPI_Comm_set_errhandler(comm, i % 2 == 0 ? MPI_ERRORS_RETURN : counting);
        memset(bytes, rank, sizeof bytes);
        const int error = MPI_Bcast(bytes, rank == 0 ? sent : expected, MPI_CHAR, 0, comm);
        int class = MPI_SUCCESS;
        if (error != MPI_SUCCESS) {
            MPI_Error_class(error, &class);
        }
        if (class != (rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE)) {
            fail("wrong error class of a message that is too long", sent);
        }
        if (told != (i % 2 == 1 && rank != 0 ? 1 : 0)) {
            fail("wrong number of calls of the error handler", told);
        }
        for (int k = 0; k < 5; ++k) {
            int number = rank == 0 ? k : -1;
            if (MPI_Bcast(&number, 1, MPI_INT, 0, comm) != MPI_SUCCESS || number != k) {
                fail("wrong message after a mistake", k);
            }
        }
    }
    MPI_Errhandler_free(&counting);
    MPI_Comm_free(&comm);
}

/* Some collectives, so many times. */
static void use(MPI_Comm comm, int times)
{
    int own, all;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &all);
    for (int i = 0; i < times; ++i) {
        int number = own == i % all ? i : -1, sum = 0;
        MPI_Bcast(&number, 1, MPI_INT, i % all, comm);
        MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (number != i || sum != all * (all - 1) / 2) {
            fail("wrong result in a communicator of so many", all);
        }
    }
}

/* Two nodes of two ranks. The first rank takes more or less than its neighbour sends, or the
   neighbour gives less to a sum: the other node, too, is told or gets what there is, nobody waits
   for ever, and what comes next is right. */
static void case_leader_differs(MPI_Comm world)
{
    MPI_Comm comm;
    MPI_Errhandler counting;
    MPI_Comm_dup(world, &comm);
    MPI_Comm_create_errhandler(listen, &counting);
    for (int i = 0; i < 12; ++i) {
        char bytes[60];
        const int taken = i % 2 == 0 ? 20 : 60;
        /* Also another one than when the communicator was set up. */
        MPI_Comm_set_errhandler(comm, i % 4 < 2 ? MPI_ERRORS_RETURN : counting);
        told = 0;
        memset(bytes, rank, sizeof bytes);
        int error = MPI_Bcast(bytes, rank == 0 ? taken : 40, MPI_CHAR, 1, comm);
        int class = MPI_SUCCESS;
        if (error != MPI_SUCCESS) {
            MPI_Error_class(error, &class);
        }
        if (rank == 0 && class != MPI_ERR_TRUNCATE) {
            fail("wrong error class of a message of another size", taken);
        }
        /* What leaves its node is longer than the others' messages. */
        if (rank > 1 && taken > 40 && class == MPI_SUCCESS) {
            fail("nobody told of a message of another size", taken);
        }
        if (told != (i % 4 < 2 || error == MPI_SUCCESS ? 0 : 1)) {
            fail("wrong number of calls of the error handler", told);
        }
        int numbers[2] = {rank, 2 * rank}, sums[2];
        error = MPI_Allreduce(numbers, sums, rank == 1 ? 1 : 2, MPI_INT, MPI_SUM, comm);
        if (rank < 2 && error == MPI_SUCCESS) {
            fail("nobody told of a count that differs", i);
        }
        use(comm, 5);
    }
    MPI_Errhandler_free(&counting);
    MPI_Comm_free(&comm);
}

/* An element that can only be packed as a whole, for which one rank has no memory: it is told, or
 * has the message nevertheless, and what comes next is right. */
static void case_no_memory(MPI_Comm world)
{
    enum { n = 5 << 20 };
    MPI_Comm comm;
    MPI_Datatype one;
    struct rlimit usual, none;
    MPI_Comm_dup(world, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    double* const numbers = malloc(2 * n * sizeof(double));
    int* const places = malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        places[i] = 2 * i;
        numbers[2 * i] = rank == 0 ? i : -1;
    }
    MPI_Type_create_indexed_block(n, 1, places, MPI_DOUBLE, &one);
    MPI_Type_commit(&one);
    use(comm, 5);
    getrlimit(RLIMIT_AS, &usual);
    none = usual;
    FILE* const sizes = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (sizes == NULL || fscanf(sizes, "%lu", &pages) != 1) {
        fail("/proc/self/statm", 0);
    }
    fclose(sizes);
    none.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + (8 << 20);
    setrlimit(RLIMIT_AS, rank == 1 ? &none : &usual);
    const int error = MPI_Bcast(numbers, 1, one, 0, comm);
    setrlimit(RLIMIT_AS, &usual);
    for (int i = 0; error == MPI_SUCCESS && i < n; ++i) {
        if (numbers[2 * i] != i) {
            fail("wrong element", i);
        }
    }
    if (rank != 1 && error != MPI_SUCCESS) {
        fail("an error in a rank that has memory", error);
    }
    use(comm, 5);
    MPI_Type_free(&one);
    MPI_Comm_free(&comm);
    free(numbers);
    free(places);
}

static int use_once_more(MPI_Comm comm, int key, void* value, void* state)
{
    (void)key;
    (void)value;
    (void)state;
    use(comm, 5);
    return MPI_SUCCESS;
}

/* An attribute's delete function is called for a communicator that is still whole. Handles come
 * again, with other ranks behind them. */
static void case_delete_functions(MPI_Comm world)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_once_more, &key, NULL);
    for (int i = 0; i < 60; ++i) {
        MPI_Comm comm;
        if (i % 2 == 0) {
            MPI_Comm_dup(world, &comm);
        } else {
            MPI_Comm_split(world, rank < size - 1 ? 0 : 1, -rank, &comm);
        }
        /* Before the first collective, or after the last one. */
        if (i % 3 != 2) {
            MPI_Comm_set_attr(comm, key, NULL);
        }
        use(comm, i % 7);
        if (i % 3 == 2) {
            MPI_Comm_set_attr(comm, key, NULL);
        }
        if (i % 5 == 4) {
            MPI_Comm_disconnect(&comm);
        } else {
            MPI_Comm_free(&comm);
        }
    }
    MPI_Comm_free_keyval(&key);
}

/* Called by MPI_Finalize, which first deletes the attributes of MPI_COMM_SELF: MPI may still be
 * used. */
static MPI_Comm kept;

static int use_in_the_end(MPI_Comm self, int key, void* value, void* state)
{
    (void)self;
    use(MPI_COMM_WORLD, 5);
    return use_once_more(kept, key, value, state);
}

/* Some ranks have had collectives before they set the attribute, the others have not. */
static void case_finalize_functions(MPI_Comm world)
{
    int key;
    MPI_Comm few;
    MPI_Comm_dup(world, &kept);
    MPI_Comm_split(world, rank < 2 ? 0 : 1 + rank, rank, &few);
    if (rank < 2) {
        use(few, 5);
    }
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_in_the_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    use(world, 5);
    use(kept, 5);
    MPI_Comm_free(&few);
}

static int deletions;

static int count_deletions(MPI_Comm comm, int key, void* value, void* state)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)state;
    if (++deletions > 1) {
        fail("an attribute of one communicator was deleted more than once", deletions);
    }
    return MPI_SUCCESS;
}

/* An attribute of MPI_COMM_SELF that duplicates would get, as those are that want to be told of
   MPI_Finalize: nobody but the program duplicates it. Has to come before the process's first
   collective. */
static void case_copied_attribute(MPI_Comm world)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletions, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    use(world, 5);
    MPI_Comm_free_keyval(&key);
}

/* Operations of the standard on types that they are not for, as the library takes or refuses them:
   Fortran's integers have no logical operations by the standard, and MPICH does them. */
static void case_fortran_logic(MPI_Comm world)
{
    const MPI_Op ops[] = {MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND};
    MPI_Comm comm;
    MPI_Comm_dup(world, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    /* Open MPI tells of some mistakes there. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (unsigned i = 0; i < 5 * sizeof ops / sizeof *ops; ++i) {
        const MPI_Op op = ops[i % (sizeof ops / sizeof *ops)];
        int in = rank, ours = -1, its = -1;
        int class = MPI_SUCCESS, wanted = MPI_SUCCESS;
        MPI_Error_class(MPI_Allreduce(&in, &ours, 1, MPI_INTEGER, op, comm), &class);
        MPI_Error_class(PMPI_Allreduce(&in, &its, 1, MPI_INTEGER, op, comm), &wanted);
        if (class != wanted || ours != its) {
            fail("not the library's answer to an operation on MPI_INTEGER", class);
        }
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm);
}

static const struct test_case cases[] = {
    {"copied_attribute", case_copied_attribute, 0},
    {"large_counts", case_large_counts, 0},
    {"sizes_differ", case_sizes_differ, 0},
    {"leader_differs", case_leader_differs, 0},
    {"no_memory", case_no_memory, 0},
    {"delete_functions", case_delete_functions, 0},
    {"finalize_functions", case_finalize_functions, 0},
    {"fortran_logic", case_fortran_logic, 0},
};

int main(int argc, char** argv)
{
    return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
