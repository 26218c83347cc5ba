// A loop cut into pieces that qthreads run.
#pragma once

#include "spawn.hpp"

#include <cstddef>

namespace artel::qthreads {

// Cuts [start, stop) into `pieces` parts whose sizes differ by one at most, and calls body(context,
// number, from, to) for each part that is not empty. Each part has a qthread, part i on shepherd i
// modulo the number of shepherds, but the caller runs one part itself. Returns when all have
// returned. Switches.
using piece = void (*)(void* context, std::size_t number, std::size_t from, std::size_t to);
void run_pieces(std::size_t start, std::size_t stop, std::size_t pieces, piece body, void* context);

// The number of enabled workers, at least 1.
std::size_t usual_pieces();

}  // namespace artel::qthreads
