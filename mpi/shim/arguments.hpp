// Asks the library whether it accepts a call's arguments, before anything is decided from them.
//
// The library must report a wrong call, by the communicator's error handler, and only to the rank
// that made it. Such a call must neither be counted nor take part in ours, because for the other
// ranks a refused call has not happened. And a call that the library accepts must not be handed to
// it by one rank alone. So a rank has to know exactly what the library refuses, which differs
// between libraries (equal buffers, missing ones, types that were not committed, operations that a
// type does not have). Hence arguments that may be wrong are tried on a communicator of this
// process alone, where no other rank notices and hardly anything is copied. Arguments that cannot
// be wrong, distinct buffers with types and operations of the standard, are not tried.
//
// Any thread may call these functions; they return false before MPI_Init and after MPI_Finalize.
#pragma once

#include "shim/datatype.hpp"

namespace artel::shim {

// Broadcast: whether the library accepts this buffer of at least one element.
bool takes_buffer(const void* buffer, MPI_Datatype type);

// Reduction; the buffers are not checked.
bool takes_operation(MPI_Datatype type, MPI_Op op);

// Reduction of at least one element, in place. `to_all`: MPI_Allreduce, else MPI_Reduce in the rank
// that receives.
bool takes_reduced_in_place(void* both, MPI_Count count, MPI_Datatype type, MPI_Op op, bool to_all);

// Allgather; the buffers are not checked. `in_type` is ignored with `in_place`.
bool takes_gathered(bool in_place, MPI_Datatype in_type, MPI_Datatype out_type);

// Allgather of at least one element, in place.
bool takes_gathered_in_place(void* both, MPI_Count count, MPI_Datatype type);

}  // namespace artel::shim
