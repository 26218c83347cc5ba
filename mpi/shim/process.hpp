// The shim's state of the process, independent of communicators.
#pragma once

#include "coll/settings.hpp"
#include "shim/mpi_weak.h"

namespace artel::shim {

// Made at the first collective call. All of it is local to the process: no agreement is needed.
struct process {
    int key = MPI_KEYVAL_INVALID;
    // of an attribute of MPI_COMM_SELF, which MPI_Finalize deletes.
    int end_key = MPI_KEYVAL_INVALID;
    MPI_Comm own = MPI_COMM_NULL;  // with this process alone in it
    // a receive on it that nothing matches, see make_progress.
    MPI_Request never = MPI_REQUEST_NULL;
    coll::settings settings = coll::settings_of_environment();
};

// nullptr before MPI_Init and after MPI_Finalize. Made at the first collective call. Any thread.
process* get_process();

// Whether MPI_Finalize has begun: from then on all calls are left to the library.
bool is_over() noexcept;

// The delete function of `key`, and a function that makes all threads forget their records:
// communicator.cpp.
int forget(MPI_Comm comm, int key, void* value, void* state);
void forget_all() noexcept;

}  // namespace artel::shim
