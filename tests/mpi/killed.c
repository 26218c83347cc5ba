/* A rank that dies while the others wait for it in a broadcast. Argument: the rank. The job must end, soon, with another status than 0. */
#include <mpi.h>

#include <signal.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int victim = argc > 1 ? atoi(argv[1]) : 0;
    static char bytes[100000];
    for (int i = 0;; ++i) {
        if (i == 50 && rank == victim) {
            raise(SIGKILL);
        }
        /* Inline, fragments, and direct copies; the root is the victim in every third. */
        MPI_Bcast(bytes, i % 2 == 0 ? 8 : i % 4 == 1 ? 5000 : 100000, MPI_CHAR, i % 3 == 0 ? victim : 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
