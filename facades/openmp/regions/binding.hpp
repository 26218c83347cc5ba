// Where members are to run: the place and the place partition of every member of a team (OpenMP
// 5.1, 2.6.2), and what of that is enforced.
//
// Members are light threads, so it is not them that are bound, but the workers that carry them:
// when the program's environment asks for binding and ARTEL_BIND does not say otherwise, every
// worker keeps to one CPU of the places, the initial thread to its place, and members of a region
// at the top level call a worker in their place their home. Who helps out elsewhere for a moment,
// members of nested regions, and OS threads that the monitor adds run where there is room: a place
// number says where a member belongs.
#pragma once

namespace artel::sched {
struct worker;
}

namespace artel::openmp {

struct member;

// Numbers of places; the partition is `count` places from `first` on. With count == 0 there is no
// binding at all.
struct place_position {
    unsigned place = 0;
    unsigned first = 0;
    unsigned count = 0;
    bool operator==(const place_position&) const = default;
};

// omp_proc_bind_t
enum : int { bind_false = 0, bind_true = 1, bind_primary = 2, bind_close = 3, bind_spread = 4 };

// The policy of a region: the clause (0: none) where binding is on.
inline int bind_policy_of_region(int bind_var, int clause) noexcept
{
    return bind_var != bind_false && clause != bind_false ? clause : bind_var;
}

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

// ARTEL_MEMBERS=threads: binds the calling member, which is an OS thread of the runtime's, to its
// place if that is another one than last time.
void bind_member_thread(place_position where) noexcept;

// Finds workers for members 1 .. size-1, whose positions are set, of a region at the top level:
// members[i].home. nullptr: as if there was no binding. Creates workers. On the master's worker.
void find_homes(member* members, unsigned size) noexcept;

}  // namespace artel::openmp
