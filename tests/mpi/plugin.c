/* A module that an interpreter loads, and with it the MPI library, which the program itself does
   not know: main_of_plugin() is called by Python's ctypes. Some collectives; 0 when all was right.
 */
#include <mpi.h>

#include <stdio.h>

int main_of_plugin(void)
{
    int rank, size, wrong = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 20; ++i) {
        int number = rank == i % size ? i : -1, sum = 0;
        MPI_Bcast(&number, 1, MPI_INT, i % size, MPI_COMM_WORLD);
        MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        wrong = wrong || number != i || sum != i * size;
    }
    MPI_Finalize();
    if (rank == 0) {
        printf("ok 1\n");
        fflush(stdout);
    }
    return wrong;
}
