// The collectives for Fortran programs, under the names that compilers give them: mpif.h, the mpi
// module, and for Open MPI's mpi_f08 module the names that it calls. Open MPI's own versions bypass
// the C names, so replacing those would not suffice. Integers become handles by the library's
// conversions, and Fortran's MPI_BOTTOM and MPI_IN_PLACE, which are variables, become C's.
//
// MPICH's mpi_f08 calls the C names, and so does all Fortran code under the standard's ABI, whose
// header has no integers for Fortran.
#include "shim/export.hpp"
#include "shim/mpi_weak.h"
#include "shim/reach.hpp"

#ifndef MPI_ABI_VERSION

extern "C" {
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Barrier(MPI_Comm comm);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_disconnect(MPI_Comm* comm);
int MPI_Finalize(void);
int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm);
int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm);
int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                  MPI_Datatype out_type, MPI_Comm comm);
// The addresses of these variables; missing in programs without Fortran. MPICH's are the first two
// integers of a common block.
#ifdef OPEN_MPI
extern char artel_fortran_bottom __asm__("mpi_fortran_bottom_") __attribute__((weak));
extern char artel_fortran_in_place __asm__("mpi_fortran_in_place_") __attribute__((weak));
#else
extern MPI_Fint artel_fortran_common[2] __asm__("mpipriv1_") __attribute__((weak));
#endif
}

namespace {

void* buffer_of(void* given)
{
#ifdef OPEN_MPI
    const void *const bottom = &artel_fortran_bottom, *const in_place = &artel_fortran_in_place;
#else
    const MPI_Fint* const common = artel_fortran_common;
    const void *const bottom = common, *const in_place = common == nullptr ? nullptr : common + 1;
#endif
    if (bottom != nullptr && given == bottom) {
        return MPI_BOTTOM;
    }
    return in_place != nullptr && given == in_place ? MPI_IN_PLACE : given;
}

void tell(MPI_Fint* error, int result)
{
    if (error != nullptr) {
        *error = result;
    }
}

void bcast(void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* root,
           const MPI_Fint* comm, MPI_Fint* error)
{
    tell(error,
         MPI_Bcast(buffer_of(buffer), *count, PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm)));
}

void leave(int (*way)(MPI_Comm*), MPI_Fint* comm, MPI_Fint* error)
{
    MPI_Comm gone = PMPI_Comm_f2c(*comm);
    tell(error, way(&gone));
    *comm = PMPI_Comm_c2f(gone);
}

void comm_free(MPI_Fint* comm, MPI_Fint* error)
{
    leave(MPI_Comm_free, comm, error);
}

void comm_disconnect(MPI_Fint* comm, MPI_Fint* error)
{
    leave(MPI_Comm_disconnect, comm, error);
}

void finalize(MPI_Fint* error)
{
    tell(error, MPI_Finalize());
}

void barrier(const MPI_Fint* comm, MPI_Fint* error)
{
    tell(error, MPI_Barrier(PMPI_Comm_f2c(*comm)));
}

void reduce(void* in, void* out, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* op,
            const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* error)
{
    tell(error, MPI_Reduce(buffer_of(in), buffer_of(out), *count, PMPI_Type_f2c(*type),
                           PMPI_Op_f2c(*op), *root, PMPI_Comm_f2c(*comm)));
}

void allreduce(void* in, void* out, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* op,
               const MPI_Fint* comm, MPI_Fint* error)
{
    tell(error, MPI_Allreduce(buffer_of(in), buffer_of(out), *count, PMPI_Type_f2c(*type),
                              PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)));
}

void allgather(void* in, const MPI_Fint* in_count, const MPI_Fint* in_type, void* out,
               const MPI_Fint* out_count, const MPI_Fint* out_type, const MPI_Fint* comm,
               MPI_Fint* error)
{
    // In place, the arguments for the sent elements are ignored.
    void* const from = buffer_of(in);
    const MPI_Datatype sent = PMPI_Type_f2c(from == MPI_IN_PLACE ? *out_type : *in_type);
    tell(error, MPI_Allgather(from, *in_count, sent, buffer_of(out), *out_count,
                              PMPI_Type_f2c(*out_type), PMPI_Comm_f2c(*comm)));
}

}  // namespace

#ifdef OPEN_MPI
#define ARTEL_FORTRAN_F08(name, parameters, arguments) \
    ARTEL_EXPORT void ompi_##name##_f parameters       \
    {                                                  \
        artel::shim::library_in_reach();               \
        name arguments;                                \
    }
#else
#define ARTEL_FORTRAN_F08(name, parameters, arguments)
#endif

#define ARTEL_FORTRAN_NAME(symbol, name, parameters, arguments) \
    ARTEL_EXPORT void symbol parameters                         \
    {                                                           \
        artel::shim::library_in_reach();                        \
        name arguments;                                         \
    }

#define ARTEL_FORTRAN(name, NAME, parameters, arguments)            \
    ARTEL_FORTRAN_NAME(mpi_##name##_, name, parameters, arguments)  \
    ARTEL_FORTRAN_NAME(mpi_##name, name, parameters, arguments)     \
    ARTEL_FORTRAN_NAME(mpi_##name##__, name, parameters, arguments) \
    ARTEL_FORTRAN_NAME(MPI_##NAME, name, parameters, arguments)     \
    ARTEL_FORTRAN_F08(name, parameters, arguments)

#define ARTEL_IN const MPI_Fint*

ARTEL_FORTRAN(bcast, BCAST,
              (void* buffer, ARTEL_IN count, ARTEL_IN type, ARTEL_IN root, ARTEL_IN comm,
               MPI_Fint* error),
              (buffer, count, type, root, comm, error))
ARTEL_FORTRAN(barrier, BARRIER, (ARTEL_IN comm, MPI_Fint* error), (comm, error))
ARTEL_FORTRAN(comm_free, COMM_FREE, (MPI_Fint * comm, MPI_Fint* error), (comm, error))
ARTEL_FORTRAN(comm_disconnect, COMM_DISCONNECT, (MPI_Fint * comm, MPI_Fint* error), (comm, error))
ARTEL_FORTRAN(finalize, FINALIZE, (MPI_Fint * error), (error))
ARTEL_FORTRAN(reduce, REDUCE,
              (void* in, void* out, ARTEL_IN count, ARTEL_IN type, ARTEL_IN op, ARTEL_IN root,
               ARTEL_IN comm, MPI_Fint* error),
              (in, out, count, type, op, root, comm, error))
ARTEL_FORTRAN(allreduce, ALLREDUCE,
              (void* in, void* out, ARTEL_IN count, ARTEL_IN type, ARTEL_IN op, ARTEL_IN comm,
               MPI_Fint* error),
              (in, out, count, type, op, comm, error))
ARTEL_FORTRAN(allgather, ALLGATHER,
              (void* in, ARTEL_IN in_count, ARTEL_IN in_type, void* out, ARTEL_IN out_count,
               ARTEL_IN out_type, ARTEL_IN comm, MPI_Fint* error),
              (in, in_count, in_type, out, out_count, out_type, comm, error))

#endif  // MPI_ABI_VERSION
