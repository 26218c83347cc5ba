/* What the cases of the program `together` have in common; the cases that are in a file of their
 * own. */
#pragma once

#include <mpi.h>

/* The programs are linked with -rdynamic; no library shall be bound to these. */
#pragma GCC visibility push(hidden)

/* For messages. */
extern const char* doing;

/* Says what was wrong, and aborts. */
void fail(const char* what, long at, int of);

/* Number i of what rank `of` gives. */
int expected(long i, int of, int round);

void case_barriers(MPI_Comm comm);
void case_mixed(MPI_Comm comm);

#pragma GCC visibility pop
