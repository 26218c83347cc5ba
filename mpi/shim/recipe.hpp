// What a derived type was made of: the calls of MPI that made it, taken apart again.
#pragma once

#include "shim/datatype.hpp"

namespace artel::shim {

// Size and extent of a type, and whether its elements lie in a row; false when the library does not
// know it.
bool measure(MPI_Datatype type, type_facts& facts);

}  // namespace artel::shim
