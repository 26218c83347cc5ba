// The place and the place partition of every member of a team (OpenMP 5.1, 2.6.2), and how far they
// are enforced.
//
// Members are light threads, so the workers that carry them are bound instead: when the program's
// environment asks for binding and ARTEL_BIND does not say otherwise, every worker keeps to one CPU
// of the places, the initial thread to its place, and members of top-level regions have a worker in
// their place as their home. Workers that help out, members of nested regions, and OS threads that
// the monitor adds run where there is room; there a place number only says where the member
// belongs.
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

// The position of a new initial thread: the first place; in programs made for libomp each thread
// gets the next place. Called once by each.
place_position initial_position() noexcept;

// Tells the crew the CPUs of the places, and binds the calling thread to its place if it is the
// process's initial one. Does so once, when binding is asked for; must come before the first use of
// the crew, because existing workers stay where they are.
void bind_as_asked() noexcept;

// Programs made for libomp: binds the calling initial thread, which is on its own OS thread, to its
// place at its first region; with KMP_AFFINITY=reset free_initial() unbinds it after the region.
// Returns whether free_initial is to be called.
bool bind_initial(place_position where) noexcept;
void free_initial() noexcept;

// Whether the caller is on an OS thread that it does not leave: one that starts regions.
bool on_own_thread() noexcept;

// What omp_get_num_procs is to report. As under libgomp a thread that the program has bound counts
// the CPUs that it may use; members are carried by changing workers, which the program cannot bind.
unsigned procs_of_caller() noexcept;

// Binds the calling OS thread to these CPUs, as far as the system allows.
void keep_to(std::span<const unsigned> cpus) noexcept;

// ARTEL_MEMBERS=threads: binds the calling member, an OS thread of the runtime, to its place if
// that has changed.
void bind_member_thread(place_position where) noexcept;

// Sets members[i].home for members 1 .. size-1 of a top-level region, whose positions are set: a
// worker in the member's place, or nullptr as without binding. Creates workers. Called on the
// master's worker.
void find_homes(member* members, unsigned size) noexcept;

}  // namespace artel::openmp
