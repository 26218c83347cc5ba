/* Threads of each rank communicate at once, each on communicators of its own, as
   MPI_THREAD_MULTIPLE allows: one that lives through all of it, and short-lived duplicates of it.
   Messages of all kinds of ways (inline, fragments, direct, packed), every root; every byte is
   compared. Prints "ok ROUNDS" and exits 0, or says what was wrong and aborts; "ok 0" where the
   library does not offer MPI_THREAD_MULTIPLE. Arguments: threads (default 3), rounds (default 40).
 */
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rounds = 40;

struct worker {
    pthread_t thread;
    int number, rank, size;
    MPI_Comm own;
    MPI_Datatype every_other; /* int */
};

static void fail(const struct worker* w, const char* what, long at)
{
    fprintf(stderr, "threads: rank %d thread %d: %s at %ld\n", w->rank, w->number, what, at);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int expected(const struct worker* w, int round, int root, long i)
{
    return w->number * 1000003 + round * 1009 + root * 31 + (int)i;
}

static void broadcast(const struct worker* w, MPI_Comm comm, int round, int root, int ints,
                      int* buffer)
{
    /* In turns some ranks have gaps between the numbers. */
    const int step = (round + w->rank + w->number) % 3 == 0 ? 2 : 1;
    for (long i = 0; i < (long)ints * step; ++i) {
        buffer[i] = i % step != 0 ? -7 : w->rank == root ? expected(w, round, root, i / step) : -1;
    }
    MPI_Bcast(buffer, ints, step == 2 ? w->every_other : MPI_INT, root, comm);
    for (long i = 0; i < (long)ints * step; ++i) {
        if (buffer[i] != (i % step != 0 ? -7 : expected(w, round, root, i / step))) {
            fail(w, "wrong number", i);
        }
    }
}

/* The other collectives, on the same communicator. */
static void others(const struct worker* w, MPI_Comm comm, int round, int ints, int* buffer)
{
    int* const all = buffer + ints;
    ints = ints < 10000 ? ints : 10000;
    for (int i = 0; i < ints; ++i) {
        buffer[i] = w->number + round + i + w->rank;
    }
    MPI_Allreduce(MPI_IN_PLACE, buffer, ints, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < ints; ++i) {
        if (buffer[i] != w->size * (w->number + round + i) + w->size * (w->size - 1) / 2) {
            fail(w, "wrong sum", i);
        }
        buffer[i] = w->rank * 3 + i;
    }
    MPI_Barrier(comm);
    MPI_Allgather(buffer, ints, MPI_INT, all, ints, MPI_INT, comm);
    for (int i = 0; i < ints * w->size; ++i) {
        if (all[i] != i / ints * 3 + i % ints) {
            fail(w, "wrong number of an allgather", i);
        }
    }
}

static void* work(void* argument)
{
    const struct worker* const w = argument;
    static const int sizes[] = {1, 2, 20, 30, 700, 1500, 5000, 30000, 100000};
    enum { kinds = sizeof sizes / sizeof *sizes };
    int* const buffer = malloc((200000 + 10000 * (size_t)w->size) * sizeof(int));
    for (int round = 0; round < rounds; ++round) {
        const int root = (round + w->number) % w->size;
        broadcast(w, w->own, round, root, sizes[(round * 5 + w->number) % kinds], buffer);
        broadcast(w, w->own, round, (root + 1) % w->size, sizes[round % 4], buffer);
        others(w, w->own, round, sizes[(round * 2 + w->number) % kinds], buffer);
        if (round % 8 == 3) {
            /* Handles of freed communicators are used again, perhaps by another thread. */
            MPI_Comm copy;
            MPI_Comm_dup(w->own, &copy);
            for (int i = 0; i < 5; ++i) {
                broadcast(w, copy, round + i, root, sizes[(round + i * 3) % kinds], buffer);
            }
            MPI_Comm_free(&copy);
        }
    }
    free(buffer);
    return NULL;
}

int main(int argc, char** argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 3, provided, rank, size;
    rounds = argc > 2 ? atoi(argv[2]) : rounds;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (provided < MPI_THREAD_MULTIPLE) {
        rounds = 0;
    }
    struct worker workers[64];
    threads = threads < 64 ? threads : 64;
    MPI_Datatype every_other;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_other);
    MPI_Type_commit(&every_other);
    for (int t = 0; rounds > 0 && t < threads; ++t) {
        workers[t] = (struct worker){
            .number = t, .rank = rank, .size = size, .every_other = every_other};
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[t].own);
    }
    /* Another order of starting in every rank. */
    for (int t = 0; rounds > 0 && t < threads; ++t) {
        struct worker* const w = &workers[(t + rank) % threads];
        pthread_create(&w->thread, NULL, work, w);
    }
    for (int t = 0; rounds > 0 && t < threads; ++t) {
        pthread_join(workers[t].thread, NULL);
        MPI_Comm_free(&workers[t].own);
    }
    MPI_Type_free(&every_other);
    MPI_Finalize();
    if (rank == 0) {
        printf("ok %d\n", rounds);
    }
    return 0;
}
