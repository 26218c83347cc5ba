// MPI_BCAST as Fortran programs call it, under the names that compilers give it: mpif.h, the mpi module, and of Open MPI's mpi_f08 module the
// name that it goes through. Open MPI's own goes past the C name, so that replacing that one would not do. Integers become handles by the library's
// conversions, and Fortran's MPI_BOTTOM, which is a variable, becomes C's.
//
// MPICH's mpi_f08 calls the C name, and so does all of Fortran under the standard's interface, whose header has no integers for Fortran.
#include "shim/mpi_weak.h"

#ifndef MPI_ABI_VERSION

#define ARTEL_EXPORT extern "C" __attribute__((visibility("default")))

extern "C" {
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
// Where MPI_BOTTOM lies in Fortran; missing where no Fortran program is.
#ifdef OPEN_MPI
extern char artel_fortran_bottom __asm__("mpi_fortran_bottom_") __attribute__((weak));
#else
extern char artel_fortran_bottom __asm__("mpipriv1_") __attribute__((weak));
#endif
}

namespace {

void broadcast(void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* root, const MPI_Fint* comm,
               MPI_Fint* error)
{
    void* const bottom = &artel_fortran_bottom;
    void* const at = bottom != nullptr && buffer == bottom ? MPI_BOTTOM : buffer;
    const int result = MPI_Bcast(at, *count, PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm));
    if (error != nullptr) {
        *error = result;
    }
}

}  // namespace

#define ARTEL_FORTRAN_NAME(name)                                                                                                  \
    ARTEL_EXPORT void name(void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* root, const MPI_Fint* comm, \
                           MPI_Fint* error)                                                                                       \
    {                                                                                                                             \
        broadcast(buffer, count, type, root, comm, error);                                                                        \
    }

ARTEL_FORTRAN_NAME(mpi_bcast_)
ARTEL_FORTRAN_NAME(mpi_bcast)
ARTEL_FORTRAN_NAME(mpi_bcast__)
ARTEL_FORTRAN_NAME(MPI_BCAST)
#ifdef OPEN_MPI
ARTEL_FORTRAN_NAME(ompi_bcast_f)
#endif

#endif  // MPI_ABI_VERSION
