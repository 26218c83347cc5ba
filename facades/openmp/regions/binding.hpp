// Where members are to run: the place and the place partition of every member of a team (OpenMP
// 5.1, 2.6.2), and what of that is enforced.
//
// Members are light threads, so it is not them that are bound, but the workers that carry them:
// when the program's environment asks for binding and ARTEL_BIND does not say otherwise, every
// worker keeps to one CPU of the places, the initial thread to its place, and members of a region
// at the top level call a worker in their place their home. Whoever helps out elsewhere for a
// moment, members of nested regions, and OS threads that the monitor adds run where there is room:
// a place number says where a member belongs.
#pragma once

#include "settings/place_position.hpp"

#include <span>

namespace artel::sched {
struct worker;
}

namespace artel::openmp {

struct member;

// The position of member `i` of a team of `size` whose master is at `master` when it meets the
// construct.
place_position position_of(unsigned i, unsigned size, int policy, place_position master) noexcept;

// The position of an initial thread: the first place, or for programs made for libomp one after the
// other. Asked once by each.
place_position initial_position() noexcept;

// Tells the crew which CPUs the places have, and binds the calling thread, if it is the process's
// initial one, to its place. At the first call that finds binding asked for; before the crew is
// first used, or the workers that exist stay where they are.
void bind_as_asked() noexcept;

// Programs made for libomp: their initial threads are bound to their places when they meet their
// first region, and with KMP_AFFINITY=reset freed when it ends. The calling thread, which is on its
// own OS thread. Returns whether free_initial is to be called.
bool bind_initial(place_position where) noexcept;
void free_initial() noexcept;

// Binds the calling OS thread to these CPUs, as far as it may have them.
void keep_to(std::span<const unsigned> cpus) noexcept;

// ARTEL_MEMBERS=threads: binds the calling member, which is an OS thread of the runtime's, to its
// place if that is another one than last time.
void bind_member_thread(place_position where) noexcept;

// Finds workers for members 1 .. size-1, whose positions are set, of a region at the top level:
// members[i].home. nullptr: as if there was no binding. Creates workers. On the master's worker.
void find_homes(member* members, unsigned size) noexcept;

}  // namespace artel::openmp
