/* What the cases of the program `reductions` have in common; the cases that are in files of their
 * own. */
#pragma once

#include <mpi.h>

#include <stddef.h>

/* The programs are linked with -rdynamic; no library shall be bound to these. */
#pragma GCC visibility push(hidden)

/* For messages. */
extern const char* doing;

/* Says what was wrong, and aborts. */
void fail(const char* what, long at, int root);

/* Small numbers, so that sums and products are exact in every type and order. */
int number(int of, long i, int round);

/* Fills `count` elements with what rank `of` gives. */
typedef void (*filler)(void* to, int count, int of, int round);

/* One reduction, by the round to one root or to all, in place or not; `extent` bytes from element
 * to element. `exact`: the library must have the same result. */
void reduce(MPI_Comm comm, MPI_Datatype type, size_t extent, MPI_Op op, filler fill, int count,
            int round, int exact);

/* Numbers of elements. */
enum { count_kinds = 16 };
extern const int counts[count_kinds];

void case_types(MPI_Comm comm);

void case_own_operations(MPI_Comm comm);
void case_order(MPI_Comm comm);

#pragma GCC visibility pop
