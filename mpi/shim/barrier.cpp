// MPI_Barrier, in place of the library's.
#include "shim/communicator.hpp"

#include "shim/export.hpp"

namespace artel::shim {
namespace {

int barrier(MPI_Comm comm)
{
    communicator* const c = find(comm);
    if (c == nullptr || !c->ready_for_use() || c->site->chosen().barrier == 0) {
        return PMPI_Barrier(comm);
    }
    coll::exchange* const here = c->site->all();
    if (c->site->nodes() == 1) {
        return c->result_of(here->barrier());
    }
    // All ranks of this node, then the first ranks of all nodes, whose return releases the others.
    shm::status s = here == nullptr ? shm::status::ok : here->barrier();
    const int error = s == shm::status::ok && c->leaders != MPI_COMM_NULL ? PMPI_Barrier(c->leaders)
                                                                          : MPI_SUCCESS;
    if (s == shm::status::ok && here != nullptr) {
        s = here->hear_of(0);
    }
    return c->tell(error != MPI_SUCCESS ? error : communicator::code_of(s));
}

}  // namespace
}  // namespace artel::shim

ARTEL_EXPORT int MPI_Barrier(MPI_Comm comm)
{
    return artel::shim::barrier(comm);
}
