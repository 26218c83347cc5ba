// Datatypes as needed for copies: the number of bytes, and whether they are contiguous; and packing
// of those that are not, piece by piece.
#pragma once

#include "coll/message.h"

#include "shim/mpi_weak.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::shim {

struct type_facts {
    MPI_Count size = 0;   // bytes of data in one element
    MPI_Aint extent = 0;  // from one element to the next
    // elements follow each other without gaps, in order, from the address given.
    bool in_a_row = false;
};

// Whether this is a type of the standard that is known here: such types are valid and committed.
// Sets the facts.
bool is_basic(MPI_Datatype type, type_facts& facts);

// False when the library does not know the type. Must not be called with a handle that may be
// invalid: the library would call an error handler of its own choice.
bool facts_of(MPI_Datatype type, type_facts& facts);

// So many elements, each so many bytes behind the one before.
struct element_loop {
    MPI_Count count;
    MPI_Aint stride;
};

// A buffer described by MPI's (address, count, type), as the library's message. Lives as long as
// the call.
class typed_buffer {
public:
    typed_buffer(void* address, MPI_Count count, MPI_Datatype type, const type_facts& facts,
                 MPI_Comm comm, bool packing);

    ~typed_buffer();
    typed_buffer(const typed_buffer&) = delete;
    typed_buffer& operator=(const typed_buffer&) = delete;

    const artel_message& message() const noexcept { return message_; }

private:
    static int move(void* self, void* packed, std::size_t bytes);
    int move_next(std::byte* packed, std::size_t bytes);
    void divide_elements(MPI_Count count);
    std::uintptr_t address_of_next() const noexcept;
    int move_elements(std::byte*& packed, std::size_t& bytes);
    int move_part(std::byte*& packed, std::size_t& bytes);
    // Packs or unpacks whole elements, from the next one on.
    int convert(std::byte* packed, MPI_Count elements);

    std::byte* address_;
    MPI_Datatype type_;
    bool own_type_ = false;
    type_facts facts_;
    MPI_Comm comm_;
    bool packing_;
    // Where the elements are, if not one behind the other: large ones were divided, and type_ and
    // facts_ are those of their parts. Outermost first.
    std::vector<element_loop> loops_;
    MPI_Count next_ = 0;       // element
    int error_ = MPI_SUCCESS;  // the first one, after which nothing is where it should be
    // The packed bytes of the element within which a piece ended; `carried_` of them have been
    // moved.
    std::vector<std::byte> carry_;
    std::size_t carried_ = 0;
    artel_message message_;
};

}  // namespace artel::shim
