// The constructor calls of MPI that made a derived type.
#pragma once

#include "shim/datatype.hpp"

namespace artel::shim {

// Size and extent of a type, and whether its elements are contiguous; false when the library does
// not know it.
bool measure(MPI_Datatype type, type_facts& facts);

// A committed type of a few kibibytes at most of which elements of another type consist, by nested
// loops; outermost first, with the innermost loop's stride as its extent. Its owner frees it.
struct element_parts {
    std::vector<element_loop> loops;
    MPI_Aint offset = 0;  // of the first part in the element
    MPI_Datatype part = MPI_DATATYPE_NULL;
    MPI_Count size = 0;  // of a part
};

// Divides `count` elements, which are made of contiguous types, vectors and subarrays; false when
// that does not lead to parts of less than `most` bytes.
bool divide(MPI_Count count, MPI_Datatype type, MPI_Count most, element_parts& parts);

}  // namespace artel::shim
