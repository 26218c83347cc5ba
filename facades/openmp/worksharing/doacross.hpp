// Doacross loops: ordered(n) with depend(source) and depend(sink). Progress is kept per entity: a
// member for static schedules, a piece for dynamic ones, an iteration for guided ones. A post
// stores the flattened index of the iteration plus one for its entity; a wait looks at the entity
// that executes the awaited iteration. An entity executes its iterations in order, so the number
// only grows.
#pragma once

#include "base/cpu.hpp"
#include "team/team.hpp"
#include "team/worksharing_state.hpp"

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace artel::openmp {

// Pauses between two looks for a post (spin_for_members). In a loop nest a member that has come
// close to the one before it so falls back by some iterations, and finds several posts at its next
// look. In a single loop members mostly hand on one iteration at a time.
inline constexpr unsigned pauses_between_looks(std::size_t dimensions) noexcept
{
    return base::modelled || dimensions == 1 ? 0 : 8;
}

// Called by the opener of the slot, after set_loop() with the first dimension as the loop. counts[0
// .. dimensions) are the iterations of each dimension. Returns nullptr when nothing can ever wait
// (a dimension without iterations). Ends the program when there is no memory.
doacross* make_doacross(const workshare_slot& slot, unsigned dimensions,
                        const std::uint64_t* counts, unsigned team_size) noexcept;
void destroy_doacross(doacross* cross) noexcept;

unsigned doacross_dimensions(const doacross& cross) noexcept;

// Posts iteration `index` [dimensions]: iterations that depend on it may continue.
void post_doacross(member& m, const std::uint64_t* index) noexcept;

// Waits until the iteration `index` has been posted. May switch.
void wait_doacross(member& m, const std::uint64_t* index) noexcept;

}  // namespace artel::openmp
