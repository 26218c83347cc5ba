// What the library says of a call's arguments, before anything is decided from them.
//
// A wrong call is the library's to report, in the way of the communicator's error handler, and to
// whoever made it alone: it must neither be counted nor take part in ours, because to the other
// ranks a call that was refused has not happened. And a call that the library takes must not be
// handed to it by one rank alone. So a rank has to know exactly what the library refuses, which
// differs from one to the other (buffers that are the same, missing ones, types that were not
// committed, operations that a type does not have). Hence whatever may be wrong is tried on a
// communicator of this process alone, where nobody else notices and hardly anything is copied. What
// cannot be wrong, other buffers with types and operations of the standard, is not asked about.
//
// Any thread; all return false before MPI_Init and after MPI_Finalize.
#pragma once

#include "shim/datatype.hpp"

namespace artel::shim {

// Of a broadcast: whether the library takes this buffer of one element at least.
bool takes_buffer(const void* buffer, MPI_Datatype type);

// Of a reduction; the buffers are not looked at.
bool takes_operation(MPI_Datatype type, MPI_Op op);

// Of a reduction: of so many elements, at least one, that are given where they are received.
// `to_all`: of MPI_Allreduce, else of MPI_Reduce in the rank that receives.
bool takes_reduced_in_place(void* both, MPI_Count count, MPI_Datatype type, MPI_Op op, bool to_all);

// Of an allgather; the buffers are not looked at. `in_type` is when nothing is sent in place.
bool takes_gathered(bool in_place, MPI_Datatype in_type, MPI_Datatype out_type);

// Of an allgather: of so many elements, at least one, that are given where they are received.
bool takes_gathered_in_place(void* both, MPI_Count count, MPI_Datatype type);

}  // namespace artel::shim
