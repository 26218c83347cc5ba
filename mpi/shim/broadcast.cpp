// MPI_Bcast, in place of the library's: decides whether it is ours, and does the steps of a
// broadcast over several nodes.
//
// All decisions depend only on what all ranks know: the communicator, how often it was used, and
// the total number of bytes; never on the local count, type or address, which differ when a row is
// sent and columns are received.
#include "shim/arguments.hpp"
#include "shim/communicator.hpp"
#include "shim/datatype.hpp"
#include "shim/export.hpp"

#include <climits>

namespace artel::shim {
namespace {

// The root's node first, then the leaders of all nodes, then the other nodes. Others wait for the
// steps of a rank that has met an error, too, so it does them all, and returns the first error; but
// when a rank of its node has died, nobody there goes on.
template <typename Among>
int over_nodes(communicator& c, void* buffer, MPI_Count count, MPI_Datatype type,
               const type_facts& facts, int root, Among among)
{
    coll::site& site = *c.site;
    const unsigned home = site.node_of(root);
    const bool at_home = site.own_node() == home;
    int error = MPI_SUCCESS;
    const auto keep = [&](int of_step) { error = error == MPI_SUCCESS ? of_step : error; };
    if (at_home) {
        typed_buffer data(buffer, count, type, facts, c.handle, c.rank == root);
        keep(communicator::code_of(site.broadcast(data.message(), site.number_in_node(root))));
    }
    if (error != MPI_SUCCESS && site.has_lost_somebody()) {
        return c.tell(error);
    }
    const bool leads = site.number_in_node(c.rank) == 0;
    if (leads) {
        keep(among(static_cast<int>(home), c.leaders));
    }
    if (!at_home) {
        typed_buffer data(buffer, count, type, facts, c.handle, leads);
        keep(communicator::code_of(site.broadcast(data.message(), 0, error == MPI_SUCCESS)));
    }
    return c.tell(error);
}

// `library(root, comm)` is PMPI_Bcast with the caller's other arguments.
template <typename Library>
int broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
              Library library)
{
    communicator* const c = find(comm);
    type_facts facts;
    // The library reports wrong arguments.
    if (c == nullptr || c->now == communicator::phase::fallback || count < 0 || root < 0 ||
        root >= c->size || buffer == MPI_IN_PLACE) {
        return library(root, comm);
    }
    const bool basic = is_basic(type, facts);
    if ((!basic || buffer == nullptr) && !takes_buffer(count == 0 ? &facts : buffer, type)) {
        return library(root, comm);
    }
    if (!basic && !facts_of(type, facts)) {
        return library(root, comm);
    }
    // A broadcast of no bytes synchronises no ranks.
    if (count == 0 || facts.size == 0) {
        return MPI_SUCCESS;
    }
    if (!c->ready_for_use() || c->site->chosen().bcast == 0) {
        return library(root, comm);
    }
    if (c->site->nodes() > 1) {
        return over_nodes(*c, buffer, count, type, facts, root, library);
    }
    typed_buffer data(buffer, count, type, facts, comm, c->rank == root);
    return c->result_of(c->site->broadcast(data.message(), static_cast<unsigned>(root)));
}

}  // namespace
}  // namespace artel::shim

ARTEL_EXPORT int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return artel::shim::broadcast(buffer, count, type, root, comm, [&](int from, MPI_Comm among) {
        return PMPI_Bcast(buffer, count, type, from, among);
    });
}

#if MPI_VERSION >= 4
ARTEL_EXPORT int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root,
                             MPI_Comm comm)
{
    return artel::shim::broadcast(buffer, count, type, root, comm, [&](int from, MPI_Comm among) {
        return PMPI_Bcast_c(buffer, count, type, from, among);
    });
}
#endif
