// Puts functions of ours before those of a library (entry.hpp): in its symbol table, and where its
// names have been looked up already.
#pragma once

#include "image.hpp"
#include "library.hpp"

#include <link.h>
#include <vector>

namespace artel::openblas {

// `object`: the library, or what has entry points of its own before it. `all`: what is loaded. May
// throw std::bad_alloc. False: the system does not allow it; nothing is changed.
bool stand_before(library& of, const image& object, const std::vector<dl_phdr_info>& all);

}  // namespace artel::openblas
