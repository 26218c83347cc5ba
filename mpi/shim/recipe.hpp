// The constructor calls of MPI that made a derived type.
#pragma once

#include "shim/datatype.hpp"

namespace artel::shim {

// Size and extent of a type, and whether its elements are contiguous; false when the library does
// not know it.
bool measure(MPI_Datatype type, type_facts& facts);

}  // namespace artel::shim
