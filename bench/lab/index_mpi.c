/* The loop of index.h over MPI ranks: chunks are claimed from a shared counter (MPI_Fetch_and_op),
   results lie in a window of shared memory. Rank 0 measures; the others run the loops that it
   announces. */
#include <mpi.h>

#include "index.h"

struct loop {
    MPI_Win counter;
    int64_t n, grain;
    uint64_t* out;
};

static void run_loop(struct loop* it)
{
    for (;;) {
        int64_t begin;
        MPI_Fetch_and_op(&it->grain, &begin, MPI_INT64_T, 0, 0, MPI_SUM, it->counter);
        MPI_Win_flush(0, it->counter);
        if (begin >= it->n)
            return;
        const int64_t end = begin + it->grain < it->n ? begin + it->grain : it->n;
        for (int64_t i = begin; i < end; ++i)
            it->out[i] = 2 * (uint64_t)i;
    }
}

/* Collective: all ranks call it with the same count. */
static double run_loops(struct loop* it, long count, int rank)
{
    double sum = 0;
    for (long i = 0; i < count; ++i) {
        if (rank == 0) {
            const int64_t zero = 0;
            MPI_Accumulate(&zero, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, MPI_REPLACE, it->counter);
            MPI_Win_flush(0, it->counter);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = measure_now();
        run_loop(it);
        MPI_Barrier(MPI_COMM_WORLD);
        sum += measure_now() - begin;
    }
    return sum;
}

/* On rank 0. */
static double lead(long count, void* context)
{
    MPI_Bcast(&count, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return run_loops(context, count, 0);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    struct measure_options options;
    measure_parse(&options, argc, argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    options.threads = ranks;
    for (unsigned l = 0; l < sizeof index_lengths / sizeof *index_lengths; ++l) {
        const struct index_length* const length = &index_lengths[l];
        struct loop it;
        it.n = length->indices == 0 ? ranks : length->indices;
        it.grain = index_grain(it.n, ranks);
        int64_t* next;
        MPI_Win results;
        MPI_Win_allocate(rank == 0 ? sizeof *next : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &next,
                         &it.counter);
        MPI_Win_allocate_shared(rank == 0 ? it.n * (MPI_Aint)sizeof *it.out : 0, 1, MPI_INFO_NULL,
                                MPI_COMM_WORLD, &it.out, &results);
        MPI_Aint bytes;
        int unit;
        MPI_Win_shared_query(results, 0, &bytes, &unit, &it.out);
        MPI_Win_lock_all(0, it.counter);
        if (rank == 0) {
            measure_run(length->measure, length->unit, length->scale, &options, lead, &it, "");
            long none = 0;
            MPI_Bcast(&none, 1, MPI_LONG, 0, MPI_COMM_WORLD);
        } else {
            for (long count = 1; count != 0;) {
                MPI_Bcast(&count, 1, MPI_LONG, 0, MPI_COMM_WORLD);
                run_loops(&it, count, rank);
            }
        }
        for (int64_t i = 0; i < it.n; ++i)
            if (it.out[i] != 2 * (uint64_t)i)
                MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Win_unlock_all(it.counter);
        MPI_Win_free(&results);
        MPI_Win_free(&it.counter);
    }
    MPI_Finalize();
    return 0;
}
