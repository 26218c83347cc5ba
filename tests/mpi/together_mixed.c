/* Barriers, and all collectives in turns, with ranks that come late. */
#define _GNU_SOURCE
#include "together.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nobody leaves before everybody has come, by the machine's clock. One machine only, however many
 * host names. */
void case_barriers(MPI_Comm comm)
{
    doing = "barrier";
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    double* const came = malloc((size_t)n * sizeof(double));
    for (int i = 0; i < 60; ++i) {
        if (i % n == me) {
            usleep(i % 3 == 0 ? 3000 : 200);
        }
        const double before = now();
        MPI_Barrier(comm);
        const double after = now();
        PMPI_Allgather(&before, 1, MPI_DOUBLE, came, 1, MPI_DOUBLE, comm);
        for (int r = 0; r < n; ++r) {
            if (came[r] > after) {
                fail("left before somebody came", i, r);
            }
        }
    }
    for (int i = 0; i < 3000; ++i) {
        MPI_Barrier(comm);
    }
    free(came);
}

/* Everything in turns, sizes of all sorts, ranks that are late: what one collective leaves behind
 * must not be in the way of the next. */
void case_mixed(MPI_Comm comm)
{
    doing = "mixed";
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    enum { most = 20000 };
    static const int sizes[] = {1, 3, 7, 130, 400, 2000, 2500, 9000, most};
    int* const own = malloc(most * sizeof(int));
    int* const got = malloc((size_t)n * most * sizeof(int));
    unsigned common = 12345, private = 77 + (unsigned)me;
    for (int i = 0; i < 700; ++i) {
        common = common * 1103515245 + 12345;
        private = private * 1103515245 + 12345;
        const int count = sizes[(common >> 16) % ((i % 3 == 0 ? 9 : 5))],
                  root = (int)((common >> 8) % (unsigned)n);
        if ((private >> 16) % 50 == 0) {
            usleep(300);
        }
        for (int j = 0; j < count; ++j) {
            own[j] = expected(j, me, i) % 1000;
        }
        switch ((common >> 24) % 6) {
        case 0:
            MPI_Bcast(own, count, MPI_INT, root, comm);
            for (int j = 0; j < count; ++j) {
                if (own[j] != expected(j, root, i) % 1000) {
                    fail("wrong broadcast", j, root);
                }
            }
            break;
        case 1:
        case 2: {
            const int all = (common >> 24) % 6 == 1;
            if (all) {
                MPI_Allreduce(own, got, count, MPI_INT, MPI_SUM, comm);
            } else {
                MPI_Reduce(own, got, count, MPI_INT, MPI_SUM, root, comm);
            }
            for (int j = 0; j < count && (all || me == root); ++j) {
                int sum = 0;
                for (int r = 0; r < n; ++r) {
                    sum += expected(j, r, i) % 1000;
                }
                if (got[j] != sum) {
                    fail(all ? "wrong allreduce" : "wrong reduce", j, root);
                }
            }
            break;
        }
        case 3:
            MPI_Allgather(own, count, MPI_INT, got, count, MPI_INT, comm);
            for (int j = 0; j < count * n; ++j) {
                if (got[j] != expected(j % count, j / count, i) % 1000) {
                    fail("wrong allgather", j % count, j / count);
                }
            }
            break;
        case 4: MPI_Barrier(comm); break;
        default:
            MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 5, got, 1, MPI_INT, (me + n - 1) % n, 5,
                         comm, MPI_STATUS_IGNORE);
            if (got[0] != (me + n - 1) % n) {
                fail("wrong message", i, got[0]);
            }
        }
    }
    free(own);
    free(got);
}
