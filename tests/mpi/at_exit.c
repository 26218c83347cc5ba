/* A program that ends MPI after main() has returned, as global objects of C++ do, and before that
   communicates once more, on communicators of other sizes than before: what libraries have made
   static since is gone by then. Prints "ok SIZE". */
#include <mpi.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static void use(MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 6; ++i) {
        int number = rank == i % size ? i : -1, sum = 0;
        MPI_Bcast(&number, 1, MPI_INT, i % size, comm);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (number != i || sum != size * (size - 1) / 2) {
            fprintf(stderr, "at_exit: rank %d of %d: wrong result\n", rank, size);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

/* All but the last `left_out` ranks. */
static void use_some(int left_out)
{
    int rank, size;
    MPI_Comm some;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size - left_out ? 0 : MPI_UNDEFINED, rank, &some);
    if (some != MPI_COMM_NULL) {
        use(some);
        MPI_Comm_free(&some);
    }
}

static void end(void)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    use_some(0);
    use_some(2);
    use(MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0) {
        printf("ok %d\n", size);
    }
}

int main(int argc, char** argv)
{
    atexit(end);
    MPI_Init(&argc, &argv);
    use_some(0);
    use_some(1);
    /* Whatever is freed from here on is filled. Not before: Intel MPI's MPI_Init reads memory that
       it has not written. */
    mallopt(M_PERTURB, 165);
    return 0;
}
