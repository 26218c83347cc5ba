// Whether the shim can call the MPI library whose functions it replaces.
#pragma once

namespace artel::shim {

// A library that is part of the program can be called from the beginning. One that an interpreter
// has loaded later for one of its modules cannot: its symbols are made global where that is
// possible, else one line on stderr says what would help. False: the shim must leave everything to
// the library. Any thread.
bool library_in_reach();

}  // namespace artel::shim
