// A loop over qthreads: its pieces, one for each worker, and what the caller waits for.
#pragma once

#include "spawn.hpp"

#include <cstddef>

namespace artel::qthreads {

// Cuts [start, stop) into `pieces` parts that differ by one at most, and calls
// body(context, number, from, to) for each that is not empty, number i on shepherd i modulo how
// many there are, one qthread each, but that the caller runs one itself. Returns when all have
// returned. Switches.
using piece = void (*)(void* context, std::size_t number, std::size_t from, std::size_t to);
void run_pieces(std::size_t start, std::size_t stop, std::size_t pieces, piece body, void* context);

// As many as there are workers.
std::size_t usual_pieces();

}  // namespace artel::qthreads
