/* What the programs of several cases have in common: arguments are names of cases, none: those that
 * are run by default. Included once by each. */
#pragma once

#include "intercommunicator.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>

static int rank, size;

struct test_case {
    const char* name;
    void (*run)(MPI_Comm);
    int by_default;
};

/* Calls use() with communicators of the ranks of `comm`, which are all: a copy of it,
 * one half, the ranks in their reverse order, and each alone. */
static inline void on_other_communicators(MPI_Comm comm, void (*use)(MPI_Comm))
{
    MPI_Comm copy, half, backwards;
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_split(comm, rank % 2, -rank, &half);
    MPI_Comm_split(comm, 0, -rank, &backwards);
    const MPI_Comm all[] = {copy, half, backwards, MPI_COMM_SELF};
    for (int k = 0; k < 4; ++k) {
        use(all[k]);
    }
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Comm_free(&backwards);
}

/* The whole of main(): arguments that begin with '-' are the caller's. Prints "ok CASES"; 0, or 2
 * when there was nothing to run. */
static int run_cases(const struct test_case* cases, unsigned count, int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int run = 0, named = 0;
    for (int i = 1; i < argc; ++i) {
        named = named || argv[i][0] != '-';
    }
    for (unsigned c = 0; c < count; ++c) {
        int wanted = !named && cases[c].by_default;
        for (int i = 1; i < argc; ++i) {
            wanted = wanted || strcmp(argv[i], cases[c].name) == 0;
        }
        if (wanted) {
            cases[c].run(MPI_COMM_WORLD);
            ++run;
        }
    }
    MPI_Finalize();
    if (rank == 0) {
        printf("ok %d\n", run);
    }
    return run > 0 ? 0 : 2;
}
