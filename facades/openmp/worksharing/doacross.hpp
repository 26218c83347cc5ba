// Doacross loops: ordered(n) with depend(source) and depend(sink). Each post publishes how far an
// entity - a member for static schedules, a piece for dynamic ones, an iteration for guided ones -
// has come, as the flattened index of the iteration plus one; a wait looks at the entity that
// executes the iteration it waits for. Iterations of an entity are executed in order, so the number
// only grows.
#pragma once

#include "team/team.hpp"
#include "team/worksharing_state.hpp"

#include <cstdarg>
#include <cstdint>

namespace artel::openmp {

// For the opener of the slot, after set_loop() with the first dimension as the loop. counts[0 ..
// dimensions) are the iterations of each dimension. Returns nullptr when nothing can ever wait (a
// dimension without iterations). Ends the program when there is no memory.
doacross* make_doacross(const workshare_slot& slot, unsigned dimensions,
                        const std::uint64_t* counts, unsigned team_size) noexcept;
void destroy_doacross(doacross* cross) noexcept;

unsigned doacross_dimensions(const doacross& cross) noexcept;

// The iteration `index` [dimensions] of the member is finished as far as others wait for it.
void post_doacross(member& m, const std::uint64_t* index) noexcept;

// Waits until the iteration `index` has been posted. May switch.
void wait_doacross(member& m, const std::uint64_t* index) noexcept;

}  // namespace artel::openmp
