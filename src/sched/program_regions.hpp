// What a thread of the program carries while it waits.
//
// Such a thread, a guest, can continue on its own OS thread only. A persona may block the OS thread
// that carries it until another thread has done something, such as putting work into a queue. If
// that other thread is the guest which carries the persona, neither ever continues. So a guest
// carries only personas without which it could not continue anyway:
// - At a barrier of its region or at the region's end: the region's members, and those of regions
//   inside it. Members of the region around it stay with others.
// - In a wait for tasks of an arena: the personas that serve the arena.
// - In a wait for OpenMP tasks or for a lock: none.
#pragma once

#include "sched/guest_scope.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"

#include <atomic>

namespace artel::sched {

// How many threads of the program are inside an outermost region whose members the crew carries.
// relaxed, all uses: a hint where members are likely to be others'.
extern std::atomic<unsigned> program_regions;

// enter_scope and leave_scope of such a region.
inline worker* enter_region(bool& outermost) noexcept
{
    worker* const w = enter_scope(outermost);
    if (outermost) {
        program_regions.fetch_add(1, std::memory_order_relaxed);  // relaxed: see program_regions
    }
    return w;
}

inline void leave_region() noexcept
{
    program_regions.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see program_regions
    leave_scope();
}

// What the members of a team work for whose master is the code that `w` carries now: this `team`,
// or what the master works for itself.
inline const void* purpose_of(const worker& w, const void* team) noexcept
{
    const fiber::fiber& master = *w.current;
    return master.type == fiber::kind::persona && master.works_for != nullptr ? master.works_for
                                                                              : team;
}

inline bool model_several_regions = false;  // set by models before their threads begin

// Whether `w` is a thread of the program beside others that have regions, too, or beside members
// that it does not carry. Then it looks for members in its own queue only.
inline bool is_beside_others(const worker& w) noexcept
{
    if constexpr (base::modelled) {
        return w.kind == role::guest && model_several_regions;
    }
    // relaxed: see program_regions
    return w.kind == role::guest &&
           (w.met_others || program_regions.load(std::memory_order_relaxed) > 1);
}

// Whether `w` leaves what works for `purpose` to the crew's own threads.
inline bool leaves_to_others(const worker& w, const void* purpose) noexcept
{
    return w.kind == role::guest && purpose != w.waits_for;
}

inline bool leaves_persona(const worker& w, const base::work& item) noexcept
{
    return w.kind == role::guest && is_persona(item) &&
           leaves_to_others(w, static_cast<const fiber::fiber&>(item).works_for);
}

// Posts what `w` leaves to one of the crew's own threads. False when there is none.
bool leave_to_others(worker& w, base::work& item) noexcept;

// Sends foreign code that works for `purpose` to one of the crew's own threads if `w` may not carry
// it now, or leaves it to others. False when it stays: `w` carries it, or there is no such thread.
inline bool send_to_others(worker& w, base::work& item, const void* purpose) noexcept
{
    if (!may_carry(w)) {
        return post_to_own_worker(w.own_crew, item);
    }
    return leaves_to_others(w, purpose) && leave_to_others(w, item);
}

// Called by such a thread when it waits and has nothing to run: waits until its own code, work of
// its own region or an offer is there. Meanwhile it is neither counted as active nor idle, so that
// one of the crew's own threads works in its place. `owing`: it was to look at what others have
// pushed.
void stand_aside(worker& w, bool owing, std::uint64_t spin_cycles) noexcept;

}  // namespace artel::sched
