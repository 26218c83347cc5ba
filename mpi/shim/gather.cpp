// MPI_Allgather in the place of the library's. Decided by the bytes that each rank receives of
// each, which all know alike; what is sent may be of another count and type, and with MPI_IN_PLACE
// is not looked at.
#include "shim/communicator.hpp"
#include "shim/export.hpp"
#include "shim/operation.hpp"

namespace artel::shim {
namespace {

template <typename Library>
int allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
              MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm, Library library)
{
    communicator* const c = find(comm);
    type_facts sent, received;
    const bool in_place = in == MPI_IN_PLACE;
    if (c == nullptr || c->now == communicator::phase::fallback || out_count < 0 ||
        !facts_of(out_type, received)) {
        return library();
    }
    const auto bytes = static_cast<std::uint64_t>(out_count) *
                       static_cast<std::uint64_t>(received.size);
    if (bytes == 0) {
        return MPI_SUCCESS;
    }
    // Mistakes, which the library tells.
    if ((out == nullptr && received.in_a_row) ||
        (!in_place &&
         (in_count < 0 || !facts_of(in_type, sent) || (in == nullptr && sent.in_a_row) ||
          static_cast<std::uint64_t>(in_count) * static_cast<std::uint64_t>(sent.size) != bytes))) {
        return library();
    }
    if (!c->ready_for_use() || c->site->chosen().allgather == 0 || c->site->nodes() > 1) {
        return library();
    }
    coll::exchange& ranks = *c->site->all();
    bool can = true;
    if (const shm::status s = c->site->prepare(bytes, 1, can); s != shm::status::ok) {
        return c->result_of(s);
    }
    if (!can) {
        return library();
    }
    const auto place = static_cast<std::uint64_t>(c->rank) * bytes;
    row all(out, out_count * c->size, out_type, received, comm);
    if (!in_place) {
        row own(const_cast<void*>(in), in_count, in_type, sent, comm);
        if (const int error = own.pack(); error != MPI_SUCCESS) {
            return error;
        }
        const int error = c->result_of(ranks.allgather(own.bytes(), bytes, all.bytes()));
        return error == MPI_SUCCESS ? all.unpack() : error;
    }
    if (all.copied()) {
        // Only this rank's part is there yet.
        const auto at = reinterpret_cast<std::uintptr_t>(out) +
                        static_cast<std::uintptr_t>(c->rank) *
                            static_cast<std::uintptr_t>(out_count) *
                            static_cast<std::uintptr_t>(received.extent);
        typed_buffer own(reinterpret_cast<void*>(at), out_count, out_type, received, comm, true);
        if (const int error = own.message().move(own.message().stream, all.bytes() + place, bytes);
            error != MPI_SUCCESS) {
            return error;
        }
    }
    const int error = c->result_of(ranks.allgather(all.bytes() + place, bytes, all.bytes()));
    return error == MPI_SUCCESS ? all.unpack() : error;
}

}  // namespace
}  // namespace artel::shim

ARTEL_EXPORT int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out,
                               int out_count, MPI_Datatype out_type, MPI_Comm comm)
{
    return artel::shim::allgather(in, in_count, in_type, out, out_count, out_type, comm, [&] {
        return PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm);
    });
}

#if MPI_VERSION >= 4
ARTEL_EXPORT int MPI_Allgather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type,
                                 void* out, MPI_Count out_count, MPI_Datatype out_type,
                                 MPI_Comm comm)
{
    return artel::shim::allgather(in, in_count, in_type, out, out_count, out_type, comm, [&] {
        return PMPI_Allgather_c(in, in_count, in_type, out, out_count, out_type, comm);
    });
}
#endif
