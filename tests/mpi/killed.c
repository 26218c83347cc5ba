/* A rank that dies while the others wait for it in a collective. Arguments: the rank, and which
   collective. The job must end, soon, with another status than 0. */
#include <mpi.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int victim = argc > 1 ? atoi(argv[1]) : 0;
    const char* const what = argc > 2 ? argv[2] : "bcast";
    static char bytes[100000], more[16 * 100000];
    for (int i = 0;; ++i) {
        if (i == 50 && rank == victim) {
            raise(SIGKILL);
        }
        /* Small, medium and large; the root is the victim in every third. */
        const int root = i % 3 == 0 ? victim : 0, n = i % 2 == 0 ? 8 : i % 4 == 1 ? 5000 : 100000;
        if (strcmp(what, "bcast") == 0) {
            MPI_Bcast(bytes, n, MPI_CHAR, root, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        } else if (strcmp(what, "reduce") == 0) {
            MPI_Reduce(bytes, more, n, MPI_SIGNED_CHAR, MPI_SUM, root, MPI_COMM_WORLD);
        } else if (strcmp(what, "allreduce") == 0) {
            MPI_Allreduce(bytes, more, n, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
        } else if (strcmp(what, "allgather") == 0) {
            MPI_Allgather(bytes, n, MPI_CHAR, more, n, MPI_CHAR, MPI_COMM_WORLD);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
}
