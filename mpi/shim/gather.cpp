// MPI_Allgather, in place of the library's. Decides by the number of bytes that each rank receives
// from each, which all ranks know. The sent elements may have another count and type, and are
// ignored with MPI_IN_PLACE.
#include "shim/arguments.hpp"
#include "shim/communicator.hpp"
#include "shim/export.hpp"
#include "shim/operation.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace artel::shim {
namespace {

template <typename Library>
int allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
              MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm, Library library)
{
    communicator* const c = find(comm);
    type_facts sent, received;
    const bool in_place = in == MPI_IN_PLACE;
    // The library reports wrong arguments.
    if (c == nullptr || c->now == communicator::phase::fallback || out_count < 0 ||
        out == MPI_IN_PLACE || (!in_place && in_count < 0)) {
        return library();
    }
    const bool known = is_basic(out_type, received) && (in_place || is_basic(in_type, sent));
    if (!known && (!takes_gathered(in_place, in_type, out_type) || !facts_of(out_type, received) ||
                   (!in_place && !facts_of(in_type, sent)))) {
        return library();
    }
    const auto bytes = static_cast<std::uint64_t>(out_count) *
                       static_cast<std::uint64_t>(received.size);
    const auto place = static_cast<std::uint64_t>(c->rank) * bytes;
    if ((out == nullptr && out_count > 0 && !takes_buffer(out, out_type)) ||
        (in == nullptr && in_count > 0 && !takes_buffer(in, in_type)) ||
        (bytes > 0 && in == static_cast<std::byte*>(out) + place && in_count == out_count &&
         in_type == out_type &&
         !takes_gathered_in_place(static_cast<std::byte*>(out) + place, in_count, in_type))) {
        return library();
    }
    if (bytes == 0) {
        return MPI_SUCCESS;
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
    row all(out, out_count * c->size, out_type, received, comm);
    if (!in_place) {
        row own(const_cast<void*>(in), in_count, in_type, sent, comm);
        const int packed = own.pack();
        // A rank that sends more or less than it receives from each gets an error; it takes part
        // nevertheless, because the others wait for it.
        const bool mismatch = own.size() != bytes;
        std::vector<std::byte> cut(mismatch ? bytes : 0);
        if (mismatch) {
            std::memcpy(cut.data(), own.bytes(), std::min(own.size(), bytes));
        }
        shm::status s = ranks.allgather(mismatch ? cut.data() : own.bytes(), bytes, all.bytes());
        s = s == shm::status::ok && mismatch ? shm::status::truncated : s;
        const int error = packed != MPI_SUCCESS ? packed : c->result_of(s);
        return error == MPI_SUCCESS ? all.unpack() : error;
    }
    int error = MPI_SUCCESS;
    if (all.copied()) {
        // So far `out` has only this rank's part.
        const auto at = reinterpret_cast<std::uintptr_t>(out) +
                        static_cast<std::uintptr_t>(c->rank) *
                            static_cast<std::uintptr_t>(out_count) *
                            static_cast<std::uintptr_t>(received.extent);
        typed_buffer own(reinterpret_cast<void*>(at), out_count, out_type, received, comm, true);
        // The others wait for this rank's part, even after an error.
        error = own.message().move(own.message().stream, all.bytes() + place, bytes);
    }
    const shm::status s = ranks.allgather(all.bytes() + place, bytes, all.bytes());
    error = error == MPI_SUCCESS ? c->result_of(s) : error;
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
