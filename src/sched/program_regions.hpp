// Regions that several threads of the program have at once, and what each of these carries.
//
// A member may block its carrier in the kernel until another thread of the program has done
// something, for example until that has put work into a queue between its own regions. That
// thread's own code goes on on its OS thread only. So a thread of the program that waits carries
// members of its own region only, which it waits for anyway.
#pragma once

#include "sched/guest_scope.hpp"
#include "sched/loop.hpp"

#include <atomic>

namespace artel::sched {

// How many threads of the program are inside an outermost region whose members the crew carries.
// relaxed, all uses: a thread counts itself before it publishes its members, and who takes one of
// these looks after it has acquired it.
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

// The thread of the program whose region the code on `w` works for; nullptr: not known.
inline const fiber::carrier* root_of_current(const worker& w) noexcept
{
    return w.duty == role::guest && w.current == &w.base ? &w : w.current->root;
}

inline bool model_several_regions = false;  // set by models before their threads begin

// Whether `w` is a thread of the program beside others that have regions, too. Then it looks for
// members in its own queue only, as most of those elsewhere are not its own.
inline bool others_have_regions(const worker& w) noexcept
{
    if constexpr (base::modelled) {
        return w.duty == role::guest && model_several_regions;
    }
    // relaxed: see program_regions
    return w.duty == role::guest && program_regions.load(std::memory_order_relaxed) > 1;
}

// Whether `w` leaves what works for the region of `root` to the crew's own threads. A known other
// root is enough: a member that has slept beyond its region may be in the next one soon.
inline bool leaves_members_of(const worker& w, const fiber::carrier* root) noexcept
{
    return w.duty == role::guest && root != &w && (root != nullptr || others_have_regions(w));
}

inline bool leaves_member(const worker& w, const base::work& item) noexcept
{
    return w.duty == role::guest && is_persona(item) &&
           leaves_members_of(w, static_cast<const fiber::fiber&>(item).root);
}

// Called by such a thread when it waits and has nothing to run: waits until its own code, work of
// its own region or an offer is there. Meanwhile it is neither counted as active nor idle, so that
// one of the crew's own threads works in its place. `owing`: it was to look at what others have
// pushed.
void stand_aside(worker& w, bool owing, std::uint64_t spin_cycles) noexcept;

}  // namespace artel::sched
