/* Broadcasts of derived types. */
#include "semantics.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A row of a matrix is sent, columns are received, and other pairs of types with one signature. */
void case_layouts(MPI_Comm comm)
{
    enum { most = 3000 };
    static double matrix[most * 3];
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    static const int lengths[] = {1, 3, 6, 7, 40, 129, 1000, most};
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; ++l) {
        const int n = lengths[l];
        MPI_Datatype column, reversed, spaced;
        MPI_Type_vector(n, 1, 3, MPI_DOUBLE, &column);
        int* const places = malloc((size_t)n * sizeof(int));
        for (int i = 0; i < n; ++i) {
            places[i] = n - 1 - i;
        }
        MPI_Type_create_indexed_block(n, 1, places, MPI_DOUBLE, &reversed);
        MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &spaced);
        MPI_Type_commit(&column);
        MPI_Type_commit(&reversed);
        MPI_Type_commit(&spaced);
        for (int root = 0; root < size; ++root) {
            for (int i = 0; i < most * 3; ++i) {
                matrix[i] = -1;
            }
            /* Which layout a rank has depends on rank and root; all have n doubles in all. */
            const int way = (rank + root + (int)l) % 4;
            const int step = way == 1 ? 3 : way == 3 ? 2 : 1;
            for (int i = 0; rank == root && i < n; ++i) {
                matrix[way == 2 ? n - 1 - i : i * step] = i + 0.25 * root;
            }
            if (way == 0) {
                MPI_Bcast(matrix, n, MPI_DOUBLE, root, comm);
            } else {
                MPI_Bcast(matrix, way == 3 ? n : 1,
                          way == 1   ? column
                          : way == 2 ? reversed
                                     : spaced,
                          root, comm);
            }
            for (int i = 0; i < n; ++i) {
                if (matrix[way == 2 ? n - 1 - i : i * step] != i + 0.25 * root) {
                    fail("wrong element with a derived type", root, i);
                }
            }
            for (int i = 0; step > 1 && i < n; ++i) {
                if (matrix[i * step + 1] != -1) {
                    fail("a gap of a derived type was written", root, i);
                }
            }
        }
        free(places);
        MPI_Type_free(&column);
        MPI_Type_free(&reversed);
        MPI_Type_free(&spaced);
    }
}

/* Large layouts: elements of many fragments, pairs with gaps, addresses from MPI_BOTTOM, the lower
 * bound not zero. */
void case_structures(MPI_Comm comm)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    enum { n = 20000 };
    struct pair {
        double value;
        int number;
    };
    static struct pair pairs[n];
    static int strided[n * 2];
    static char here[100], there[50];
    MPI_Datatype big, absolute, shifted;
    MPI_Type_vector(n, 1, 2, MPI_INT, &big);
    MPI_Aint places[2];
    MPI_Get_address(here, &places[0]);
    MPI_Get_address(there, &places[1]);
    const int counts[2] = {100, 50};
    const MPI_Datatype types[2] = {MPI_CHAR, MPI_CHAR};
    MPI_Type_create_struct(2, counts, places, types, &absolute);
    const int one = 1;
    const MPI_Aint behind = 8;
    MPI_Type_create_hindexed(1, &one, &behind, MPI_INT, &shifted);
    MPI_Type_commit(&big);
    MPI_Type_commit(&absolute);
    MPI_Type_commit(&shifted);
    for (int root = 0; root < size; ++root) {
        for (int i = 0; i < n; ++i) {
            pairs[i].value = rank == root ? i * 0.5 + root : -1;
            pairs[i].number = rank == root ? i + root : -1;
            strided[2 * i] = rank == root ? i ^ root : -1;
            strided[2 * i + 1] = 77;
        }
        memset(here, rank == root ? 'a' + root : 0, sizeof here);
        memset(there, rank == root ? 'A' + root : 0, sizeof there);
        int small[4] = {1, 2, rank == root ? 90 + root : 3, 4};
        MPI_Bcast(pairs, n, MPI_DOUBLE_INT, root, comm);
        MPI_Bcast(strided, 1, big, root, comm);
        MPI_Bcast(MPI_BOTTOM, 1, absolute, root, comm);
        MPI_Bcast(small, 1, shifted, root, comm);
        for (int i = 0; i < n; ++i) {
            if (pairs[i].value != i * 0.5 + root || pairs[i].number != i + root) {
                fail("wrong pair", root, i);
            }
            if (strided[2 * i] != (i ^ root) || strided[2 * i + 1] != 77) {
                fail("wrong strided element", root, i);
            }
        }
        if (here[99] != 'a' + root || there[0] != 'A' + root || there[49] != 'A' + root) {
            fail("wrong bytes at absolute addresses", root, 0);
        }
        if (small[2] != 90 + root || small[0] != 1 || small[1] != 2 || small[3] != 4) {
            fail("wrong element behind a lower bound", root, 0);
        }
    }
    MPI_Type_free(&big);
    MPI_Type_free(&absolute);
    MPI_Type_free(&shifted);
}

/* Pairs of numbers. */
static void add_pairs(void* in, void* inout, int* count, MPI_Datatype* type)
{
    const double* a = in;
    double* b = inout;
    (void)type;
    for (int i = 0; i < 2 * *count; ++i) {
        b[i] += a[i];
    }
}

/* A kind of Fortran's is predefined although it has no name: types are made of it, and it is the
 * same, and usable, as long as MPI is. */
void case_fortran_kinds(MPI_Comm comm)
{
    int size, rank, known;
    MPI_Datatype kind, pair, spaced;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    /* MPI libraries that were built without Fortran know no kinds. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    known = MPI_Type_create_f90_real(15, 307, &kind) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    if (!known) {
        return;
    }
    MPI_Type_contiguous(2, kind, &pair);
    MPI_Type_vector(3, 1, 2, kind, &spaced);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&spaced);
    MPI_Op sum;
    MPI_Op_create(add_pairs, 1, &sum);
    for (int i = 0; i < 12; ++i) {
        const int root = i / 3 % size, step = i % 3 == 2 ? 2 : 1;
        double values[6] = {-1, -1, -1, -1, -1, -1}, sums[4];
        for (int k = 0; rank == root && k < 3; ++k) {
            values[k * step] = 10 * i + k;
        }
        MPI_Bcast(values,
                  i % 3 == 0   ? 4
                  : i % 3 == 1 ? 2
                               : 1,
                  i % 3 == 0   ? kind
                  : i % 3 == 1 ? pair
                               : spaced,
                  root, comm);
        for (int k = 0; k < 3; ++k) {
            if (values[k * step] != 10 * i + k || (step == 2 && values[k * step + 1] != -1)) {
                fail("wrong element with a Fortran kind", root, i);
            }
        }
        for (int k = 0; k < 4; ++k) {
            values[k] = rank + k;
        }
        MPI_Allreduce(values, sums, 2, pair, sum, comm);
        for (int k = 0; k < 4; ++k) {
            if (sums[k] != size * (size - 1) / 2 + k * size) {
                fail("wrong sum with a Fortran kind", 0, i);
            }
        }
    }
    MPI_Op_free(&sum);
    MPI_Type_free(&pair);
    MPI_Type_free(&spaced);
}

static long most_memory(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss; /* KiB */
}

/* One element that is a large part of a matrix: packed piece by piece, not as a whole. */
void case_large_elements(MPI_Comm comm)
{
    enum { height = 1500, width = 3000, part = 1000, columns = 2 * part };
    const int lengths[3] = {height, width, 2}, parts[3] = {part, columns, 1}, starts[3] = {3, 5, 1};
    const int turned[3] = {2, width, height}, turned_parts[3] = {1, columns, part},
              turned_starts[3] = {1, 5, 3};
    const long n = (long)part * columns, first = (3L * width + 5) * 2 + 1;
    double* const matrix = malloc((size_t)height * width * 2 * sizeof(double));
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    MPI_Datatype types[7], row, half;
    MPI_Type_create_subarray(3, lengths, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &types[0]);
    MPI_Type_create_subarray(3, turned, turned_parts, turned_starts, MPI_ORDER_FORTRAN, MPI_DOUBLE,
                             &types[1]);
    /* The subarrays begin with the matrix, the others with their first element. */
    MPI_Type_vector(columns, 1, 2, MPI_DOUBLE, &row);
    MPI_Type_create_hvector(part, 1, width * 16L, row, &types[2]);
    MPI_Type_create_resized(row, 0, width * 16L, &half);
    MPI_Type_contiguous(part, half, &types[3]);
    MPI_Type_dup(types[3], &types[4]);
    MPI_Type_vector(part * 2, columns / 2, columns / 2, MPI_DOUBLE, &types[5]);
    MPI_Type_create_hvector((int)n, 1, 24, MPI_DOUBLE, &types[6]);
    for (int t = 0; t < 7; ++t) {
        MPI_Type_commit(&types[t]);
    }
    const long all = (long)height * width * 2;
    for (int i = 0; i < 4 * 7; ++i) {
        const int root = i % size, t = i / 4, own = rank == root ? t : (t + i + rank) % 7;
        for (long k = 0; k < all; ++k) {
            matrix[k] = -1;
        }
        for (int check = 0; check < 2; ++check) {
            double* const from = own < 2 ? matrix : matrix + first;
            if (check == 1) {
                const long before = most_memory();
                MPI_Bcast(from, 1, types[own], root, comm);
                if (most_memory() - before > 8 << 10) {
                    fail("a large element took memory (KiB)", root, most_memory() - before);
                }
            }
            for (long k = 0; k < n; ++k) {
                /* Element k, by this rank's type. */
                const long place = own < 5   ? first + (k / columns * width + k % columns) * 2
                                   : own < 6 ? first + k
                                             : first + 3 * k;
                if (check == 0 && rank == root) {
                    matrix[place] = (double)(k + i);
                } else if (check == 1 && matrix[place] != (double)(k + i)) {
                    fail("wrong element of a part of a matrix", root, k);
                } else if (check == 1 && own != 5 && place + 1 < all && matrix[place + 1] != -1) {
                    fail("a gap in a matrix was written", root, k);
                }
            }
        }
    }
    for (int t = 0; t < 7; ++t) {
        MPI_Type_free(&types[t]);
    }
    MPI_Type_free(&row);
    MPI_Type_free(&half);
    free(matrix);
}
