/* A process whose first thread ends, before MPI_Init or after the first collectives: the system
   shows it as a zombie, and it goes on. Some rank is so late now and then that the others look
   whether it lives. Prints "ok ROUNDS". */
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { rounds = 12, most = 100000 };

static pthread_t first;
static int rank, size, early;
static int numbers[most];

static void use(int round)
{
    const int count = round % 3 == 2 ? most : 1, root = round % size;
    int sum = 0;
    if (round > rounds - 3 && rank == round % size) {
        usleep(1000000);
    }
    for (int i = 0; i < count; ++i) {
        numbers[i] = rank == root ? round + i : -1;
    }
    MPI_Bcast(numbers, count, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (numbers[0] != round || numbers[count - 1] != round + count - 1 ||
        sum != size * (size - 1) / 2) {
        fprintf(stderr, "first_thread: rank %d: wrong in round %d\n", rank, round);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void begin(void)
{
    int provided = 0;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static void* go_on(void* unused)
{
    (void)unused;
    pthread_join(first, NULL);
    if (early) {
        begin();
    }
    for (int round = 6; round < rounds; ++round) {
        use(round);
    }
    if (rank == 0) {
        printf("ok %d\n", rounds);
    }
    MPI_Finalize();
    exit(0);
}

int main(int argc, char** argv)
{
    pthread_t other;
    (void)argv;
    early = argc > 1;
    first = pthread_self();
    if (!early) {
        begin();
        for (int round = 0; round < 6; ++round) {
            use(round);
        }
    }
    pthread_create(&other, NULL, go_on, NULL);
    pthread_exit(NULL);
}
