/* Broadcasts of more than 2^31 bytes. */
#include "semantics.h"

#include <stdlib.h>
#include <string.h>

/* As much in one element: with gaps, whose sender has the same mebibyte again and again, or as
   programs make them for lengths that no int holds, of blocks and the rest. `buffer` has room for a
   gap behind each block. */
static void huge_element(MPI_Comm comm, unsigned char* buffer, long n)
{
    enum { block = 1 << 20, half = block / 2 };
    const int blocks = (int)(n / block), counts[] = {blocks, (int)(n % block)};
    const MPI_Aint places[] = {0, (MPI_Aint)blocks * block};
    MPI_Datatype halves, repeated, gaps, parts[] = {MPI_DATATYPE_NULL, MPI_BYTE}, row;
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Type_vector(2, half, half + 1, MPI_BYTE, &halves);
    MPI_Type_create_hvector(blocks, 1, 0, halves, &repeated);
    MPI_Type_create_hvector(blocks, 1, block + 1, halves, &gaps);
    MPI_Type_contiguous(block, MPI_BYTE, &parts[0]);
    MPI_Type_create_struct(2, counts, places, parts, &row);
    MPI_Type_commit(&repeated);
    MPI_Type_commit(&gaps);
    MPI_Type_commit(&row);
    for (int round = 0; round < 2; ++round) {
        const long stride = round == 0 ? block : block + 1;
        memset(buffer, 0, (size_t)n);
        for (long i = 0; rank == 0 && i < block + 1; ++i) {
            buffer[i] = expected(i, round);
        }
        MPI_Bcast(buffer, 1, rank == 0 ? repeated : round == 0 ? row : gaps, 0, comm);
        for (long i = 0; rank != 0 && i < blocks; ++i) {
            for (long at = i % 509; at < block; at += 509) {
                const long gap = at >= half;
                if (buffer[i * stride + at + gap * round] != expected(at + gap, round)) {
                    fail("wrong byte of a huge element", round, i * stride + at);
                }
            }
        }
    }
    MPI_Type_free(&halves);
    MPI_Type_free(&parts[0]);
    MPI_Type_free(&repeated);
    MPI_Type_free(&gaps);
    MPI_Type_free(&row);
}

/* More than 2^31 bytes, by a type of a mebibyte; needs 2.1 GiB per rank. Only when named. */
void case_huge(MPI_Comm comm)
{
    const long mib = 1 << 20, n = 2049 * mib;
    int rank;
    MPI_Comm_rank(comm, &rank);
    unsigned char* const buffer = malloc((size_t)(n + n / mib));
    MPI_Datatype block;
    MPI_Type_contiguous((int)mib, MPI_BYTE, &block);
    MPI_Type_commit(&block);
    for (long i = 0; rank == 0 && i < n; i += 509) {
        buffer[i] = expected(i, 0);
    }
    for (int i = 0; i < 5; ++i) {
        int value = i;
        MPI_Bcast(&value, 1, MPI_INT, 0, comm);
    }
    MPI_Bcast(buffer, (int)(n / mib), block, 0, comm);
    for (long i = 0; i < n; i += 509) {
        if (buffer[i] != expected(i, 0)) {
            fail("wrong byte of a huge message", 0, i);
        }
    }
    huge_element(comm, buffer, n);
    MPI_Type_free(&block);
    free(buffer);
}
