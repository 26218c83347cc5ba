// The shim's record of each communicator. It is stored in an attribute of the communicator, so that
// it is freed with it.
#pragma once

#include "coll/setup.hpp"

#include "shim/mpi_weak.h"
#include <memory>

namespace artel::shim {

struct communicator {
    enum class phase {
        waiting,   // still left to the library, until there have been enough calls
        ready,     // the site is used
        fallback,  // always left to the library
    };

    MPI_Comm handle = MPI_COMM_NULL;
    int size = 0;
    int rank = 0;
    phase now = phase::waiting;
    unsigned calls = 0;
    unsigned setup_after = 0;  // calls; agreed on at the first one
    std::unique_ptr<coll::site> site;
    // The lowest rank of every node; only in those. Returns its errors, whatever the program wants
    // of those of its communicator.
    MPI_Comm leaders = MPI_COMM_NULL;

    // Counts a call, and sets the communicator up when it is time: collective, like the call.
    // Returns whether the site is to be used.
    bool ready_for_use();

    // The error code for MPI's caller; calls the communicator's error handler for errors.
    int result_of(shm::status s) const { return tell(code_of(s)); }
    // For a collective of several steps, which tells once, in the end.
    static int code_of(shm::status s);
    int tell(int error) const;

private:
    coll::bootstrap bootstrap();
    void set_up();
};

// The record of a communicator; nullptr if the call must be left to the library (null handles,
// before MPI_Init, after MPI_Finalize). Made at the first call. Any thread.
communicator* find(MPI_Comm comm);

// MPI_Comm_free or MPI_Comm_disconnect by `library`; meanwhile find() returns nullptr for the
// communicator. Any thread.
int free_with(int (*library)(MPI_Comm*), MPI_Comm* comm);

// The settings of this process's environment, read once.
const coll::settings& environment();

// A communicator of this process alone, which returns its errors; MPI_COMM_NULL when find() returns
// nullptr for all. One collective on it at a time.
MPI_Comm own_communicator();

// Lets the library make progress on its other communication.
int make_progress(void*);

}  // namespace artel::shim
