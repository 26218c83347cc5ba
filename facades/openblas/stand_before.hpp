// Replaces a library's functions by ours (entry.hpp): in its symbol table, and where its names have
// already been looked up.
#pragma once

#include "image.hpp"
#include "library.hpp"

#include <link.h>
#include <vector>

namespace artel::openblas {

// `object`: the library, or one that wraps it with entry points of its own. `all`: all loaded
// objects. May throw std::bad_alloc. False: the system does not permit it; nothing is changed.
bool stand_before(library& of, const image& object, const std::vector<dl_phdr_info>& all);

}  // namespace artel::openblas
