// MPI_Reduce and MPI_Allreduce, in place of the library's.
//
// Count, type and operation are the same in all ranks, as MPI demands, so decisions from them are
// too. Whether a rank packs its elements is its own decision.
#include "shim/arguments.hpp"
#include "shim/communicator.hpp"
#include "shim/export.hpp"
#include "shim/operation.hpp"

namespace artel::shim {
namespace {

constexpr int everybody = -1;

struct call {
    const void* in;
    void* out;
    MPI_Count count;
    MPI_Datatype type;
    int root;  // or everybody
    MPI_Comm comm;
};

// Among the ranks of this node, for its rank `number` or for everybody; `wanted`: this rank gets
// the result. Tells nobody of an error.
int in_node(communicator& c, const call& a, const reduction& r, int number, bool wanted)
{
    const bool in_place = a.in == MPI_IN_PLACE;
    row from(in_place ? a.out : const_cast<void*>(a.in), a.count, a.type, r.facts, a.comm);
    row to(a.out, wanted && !in_place ? a.count : 0, a.type, r.facts, a.comm);
    // The others wait for this rank's part, even after an error.
    const int packed = from.pack();
    std::byte* const out = in_place ? from.bytes() : to.bytes();
    coll::exchange& all = *c.site->all();
    const shm::status s = number == everybody
                              ? all.allreduce(from.bytes(), out, from.size(), r.operation)
                              : all.reduce(from.bytes(), out, from.size(), r.operation,
                                           static_cast<unsigned>(number));
    if (packed != MPI_SUCCESS) {
        return packed;
    }
    if (s != shm::status::ok || !wanted) {
        return communicator::code_of(s);
    }
    return in_place ? from.unpack() : to.unpack();
}

// First within nodes, for their first ranks; then among these, by the library; then, if all want
// the result, within nodes again. As in a broadcast, an error does not end it, unless a rank of
// this node has died.
template <typename Library>
int over_nodes(communicator& c, const call& a, const reduction& r, Library library)
{
    coll::site& site = *c.site;
    const bool leads = site.number_in_node(c.rank) == 0, alone = site.all() == nullptr;
    // Reductions to one rank are not done in place: MPICH 4.0 crashes when a rank other than 0 does
    // so.
    const elements_room room(leads && !alone && a.root != everybody ? a.count : 0, a.type, r.facts);
    call mine = a;
    mine.out = a.root == everybody ? a.out : room.first();
    mine.in = a.in == MPI_IN_PLACE && a.root != everybody ? a.out : a.in;
    int error = alone ? MPI_SUCCESS : in_node(c, mine, r, 0, leads);
    const auto keep = [&](int of_step) { error = error == MPI_SUCCESS ? of_step : error; };
    if (error != MPI_SUCCESS && site.has_lost_somebody()) {
        return error;
    }
    if (leads && a.root == everybody) {
        keep(library(alone ? a.in : MPI_IN_PLACE, a.out, 0, c.leaders));
    } else if (leads) {
        keep(library(alone ? a.in : mine.out, a.out, static_cast<int>(site.node_of(a.root)),
                     c.leaders));
    }
    if (a.root == everybody && !alone) {
        typed_buffer result(a.out, a.count, a.type, r.facts, a.comm, leads);
        keep(communicator::code_of(site.broadcast(result.message(), 0, error == MPI_SUCCESS)));
    }
    return error;
}

// `library(in, out, root, comm)` is the library's own, with the caller's other arguments.
template <typename Library>
int reduce(const call& a, MPI_Op op, Library library)
{
    const auto leave = [&] { return library(a.in, a.out, a.root, a.comm); };
    communicator* const c = find(a.comm);
    reduction r;
    const bool to_all = a.root == everybody;
    // The library reports wrong arguments.
    if (c == nullptr || c->now == communicator::phase::fallback || a.count < 0 ||
        a.root < everybody || a.root >= c->size) {
        return leave();
    }
    const bool wanted = to_all || a.root == c->rank;
    if ((wanted ? a.out : a.in) == MPI_IN_PLACE || !r.find(a.type, op, takes_operation)) {
        return leave();
    }
    if (a.count == 0) {
        return MPI_SUCCESS;
    }
    if ((a.in == nullptr && !takes_buffer(a.in, a.type)) ||
        (wanted && a.out == nullptr && !takes_buffer(a.out, a.type)) ||
        (wanted && a.in == a.out && !takes_reduced_in_place(a.out, a.count, a.type, op, to_all))) {
        return leave();
    }
    if (r.facts.size == 0) {
        return MPI_SUCCESS;
    }
    if (!c->ready_for_use()) {
        return leave();
    }
    coll::site& site = *c->site;
    const bool several = site.nodes() > 1;
    if ((a.root == everybody ? site.chosen().allreduce : site.chosen().reduce) == 0 ||
        (several && ((!r.commutes && !site.nodes_in_order()) ||
                     (a.root != everybody && site.number_in_node(a.root) != 0)))) {
        return leave();
    }
    bool can = true;
    const auto bytes = static_cast<std::uint64_t>(a.count) *
                       static_cast<std::uint64_t>(r.facts.size);
    if (const shm::status s = site.prepare(bytes, r.operation.element_bytes, can);
        s != shm::status::ok) {
        return c->result_of(s);
    }
    if (!can) {
        return leave();
    }
    return c->tell(several ? over_nodes(*c, a, r, library) : in_node(*c, a, r, a.root, wanted));
}

}  // namespace
}  // namespace artel::shim

namespace shim = artel::shim;

ARTEL_EXPORT int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                            int root, MPI_Comm comm)
{
    const auto library = [&](const void* from, void* to, int receiver, MPI_Comm among) {
        return PMPI_Reduce(from, to, count, type, op, receiver, among);
    };
    // A negative root is a mistake, or belongs to an intercommunicator.
    return root < 0 ? library(in, out, root, comm)
                    : shim::reduce({in, out, count, type, root, comm}, op, library);
}

ARTEL_EXPORT int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm)
{
    return shim::reduce({in, out, count, type, shim::everybody, comm}, op,
                        [&](const void* from, void* to, int, MPI_Comm among) {
                            return PMPI_Allreduce(from, to, count, type, op, among);
                        });
}

#if MPI_VERSION >= 4
ARTEL_EXPORT int MPI_Reduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, int root, MPI_Comm comm)
{
    const auto library = [&](const void* from, void* to, int receiver, MPI_Comm among) {
        return PMPI_Reduce_c(from, to, count, type, op, receiver, among);
    };
    return root < 0 ? library(in, out, root, comm)
                    : shim::reduce({in, out, count, type, root, comm}, op, library);
}

ARTEL_EXPORT int MPI_Allreduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm)
{
    return shim::reduce({in, out, count, type, shim::everybody, comm}, op,
                        [&](const void* from, void* to, int, MPI_Comm among) {
                            return PMPI_Allreduce_c(from, to, count, type, op, among);
                        });
}
#endif
