// What a reduction operation of MPI means for elements of a type: one of our loops, or the
// library's MPI_Reduce_local; and buffers as the collectives want them, as bytes in a row.
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

    // False: leave it to the library, which also says best what is wrong. The same in all ranks,
    // because type and operation are. `valid` is asked first about those that are not of the
    // standard; none: the caller has been asked already.
    using valid_hook = bool (*)(MPI_Datatype, MPI_Op);
    bool find(MPI_Datatype t, MPI_Op o, valid_hook valid);
};

// Memory for elements of a type, laid out as the type wants it.
class elements_room {
public:
    elements_room(MPI_Count elements, MPI_Datatype type, const type_facts& facts);
    // The address of the first element; memory for none may be anywhere.
    void* first() const noexcept { return reinterpret_cast<void*>(first_); }

private:
    std::unique_ptr<std::max_align_t[]> room_;
    std::uintptr_t first_ = 0;
};

// The elements of a buffer in a row: where they are, or packed by the library when they have gaps
// or are a GPU's. Lives as long as the call.
class row {
public:
    row(void* address, MPI_Count count, MPI_Datatype type, const type_facts& facts, MPI_Comm comm);

    std::byte* bytes() const noexcept { return bytes_; }
    std::uint64_t size() const noexcept { return size_; }
    bool copied() const noexcept { return copy_ != nullptr; }
    // For buffers that are read: fills the copy. An MPI error code.
    int pack();
    // For buffers that are written: brings the copy to where it belongs.
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
