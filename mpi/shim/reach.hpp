// Whether the shim can call the MPI library that it stands before.
#pragma once

namespace artel::shim {

// A library that is part of the program is in reach from the beginning. One that an interpreter has
// loaded later for a module of its own is not: it is brought into reach where that is possible,
// else one line on stderr tells what would help. False: the shim must leave everything to the
// library. Any thread.
bool library_in_reach();

}  // namespace artel::shim
