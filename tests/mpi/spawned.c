/* A job that starts another one and uses communicators with ranks of both. The new processes may
   have another environment than the first ones: launchers give theirs on, or not, and with it the
   libraries that are preloaded. Prints "ok RANKS" and exits 0, or says what was wrong and aborts.
 */
#include <mpi.h>

#include <stdio.h>

static void use(MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 20; ++i) {
        int number = rank == i % size ? i : -1, sum = -1;
        MPI_Bcast(&number, 1, MPI_INT, i % size, comm);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        MPI_Barrier(comm);
        if (number != i || sum != size * (size - 1) / 2) {
            fprintf(stderr, "spawned: rank %d of %d: wrong result, at %d\n", rank, size, i);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

int main(int argc, char** argv)
{
    MPI_Comm others, all, half;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&others);
    const int first = others == MPI_COMM_NULL;
    use(MPI_COMM_WORLD);
    if (first) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                       MPI_ERRCODES_IGNORE);
    }
    MPI_Intercomm_merge(others, !first, &all);
    use(all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    /* Some of these have ranks of both, too. */
    MPI_Comm_split(all, rank % 2, rank, &half);
    use(half);
    use(MPI_COMM_WORLD);
    MPI_Comm_free(&half);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&others);
    MPI_Finalize();
    if (first && rank == 0) {
        printf("ok %d\n", size);
    }
    return 0;
}
