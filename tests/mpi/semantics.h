/* What the cases of the program `semantics` have in common; the cases that are in files of their
 * own. */
#pragma once

#include <mpi.h>

/* The programs are linked with -rdynamic; no library shall be bound to these. */
#pragma GCC visibility push(hidden)

/* Says what was wrong, and aborts. */
void fail(const char* what, int root, long at);

/* Another one for each broadcast, the same in all ranks. */
extern unsigned salt;

/* Byte i of what the root sends. */
unsigned char expected(long i, int root);

/* Broadcasts n bytes in a row, with guards. */
void plain(MPI_Comm comm, long n, int root, MPI_Datatype type, int count);

void case_layouts(MPI_Comm comm);
void case_structures(MPI_Comm comm);
void case_fortran_kinds(MPI_Comm comm);
void case_large_elements(MPI_Comm comm);

void case_communicators(MPI_Comm comm);
void case_intercommunicator(MPI_Comm comm);
void case_many_communicators(MPI_Comm comm);

void case_huge(MPI_Comm comm);

#pragma GCC visibility pop
