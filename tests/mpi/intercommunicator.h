/* Two halves of a communicator that talk to each other. */
#pragma once

#include <mpi.h>

/* Calls use() with an intercommunicator of the lower and the upper half; `left`: the caller is in
 * the lower one, `others`: how many are in the other. Not with one rank. */
static inline void on_intercommunicator(MPI_Comm comm,
                                        void (*use)(MPI_Comm both, int left, int others))
{
    int size, rank, others;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    if (size < 2) {
        return;
    }
    MPI_Comm side, both;
    const int left = rank < size / 2;
    MPI_Comm_split(comm, left, rank, &side);
    MPI_Intercomm_create(side, 0, comm, left ? size / 2 : 0, 7, &both);
    MPI_Comm_remote_size(both, &others);
    use(both, left, others);
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
}
