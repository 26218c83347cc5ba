// A reduction operation of MPI for elements of a type: one of our loops, or the library's
// MPI_Reduce_local; and buffers in the form that the collectives need, as contiguous bytes.
#pragma once

#include "coll/operation.h"
#include "shim/datatype.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace artel::shim {

struct reduction {
    artel_operation operation{};
    type_facts facts;
    MPI_Datatype type{};
    MPI_Op op{};
    bool commutes = true;

    reduction() = default;
    reduction(const reduction&) = delete;
    reduction& operator=(const reduction&) = delete;

    // False: leave the call to the library, which also reports its errors. The same in all ranks,
    // because type and operation are. `valid` is called first for those that are not of the
    // standard; none: the caller has checked them already.
    using valid_hook = bool (*)(MPI_Datatype, MPI_Op);
    bool find(MPI_Datatype t, MPI_Op o, valid_hook valid);
};

// Memory for elements of a type, in the type's layout.
class elements_room {
public:
    elements_room(MPI_Count elements, MPI_Datatype type, const type_facts& facts);
    // The address of the first element; for no elements it may be any address.
    void* first() const noexcept { return reinterpret_cast<void*>(first_); }

private:
    std::unique_ptr<std::max_align_t[]> room_;
    std::uintptr_t first_ = 0;
};

// The elements of a buffer, contiguous: in place, or packed by the library if they have gaps or are
// a GPU's. Lives as long as the call.
class row {
public:
    row(void* address, MPI_Count count, MPI_Datatype type, const type_facts& facts, MPI_Comm comm);

    std::byte* bytes() const noexcept { return bytes_; }
    std::uint64_t size() const noexcept { return size_; }
    bool copied() const noexcept { return copy_ != nullptr; }
    // For buffers that are read: fills the copy. Returns an MPI error code.
    int pack();
    // For buffers that are written: unpacks the copy to its place.
    int unpack();

private:
    int move(bool packing);

    void* address_;
    MPI_Count count_;
    MPI_Datatype type_;
    type_facts facts_;
    MPI_Comm comm_;
    std::uint64_t size_;
    std::unique_ptr<std::byte[]> copy_;
    std::byte* bytes_;
};

}  // namespace artel::shim
