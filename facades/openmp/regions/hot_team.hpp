// The team that an external thread keeps between its regions. Member i is the same persona in every
// region, so its TLS, stack and caches stay with it, and one write that all members see starts a
// region.
#pragma once

#include "fiber/signals.hpp"
#include "foreign/persona_pool.hpp"
#include "team/team.hpp"
#include "waiting/wait_queue.hpp"

#include <atomic>
#include <memory>

namespace artel::openmp {

class hot_team : public team {
public:
    // For up to `capacity` members. Personas are acquired when first needed. Throws std::bad_alloc.
    explicit hot_team(unsigned capacity);
    ~hot_team();

    unsigned capacity() const noexcept { return capacity_; }

    unsigned placed = 0;  // the team size for which members were given homes by their places

    // Called by the master outside of regions: afterwards no member touches the team, and it may be
    // described anew.
    void settle() noexcept;

    // Called by the master after settle() and describe_team(): starts members 1 .. size-1.
    void start(unsigned members, const icv_set& icvs, region_function function,
               void* data) noexcept;

    // Called by the master after its own part, with its tasks complete: waits until all members
    // have arrived. Switches.
    void join() noexcept;

    // Sends the personas back to the pool, or into retirement. The team may be deleted afterwards.
    void disband(foreign::retirement* end = nullptr) noexcept;

private:
    struct member_start {
        foreign::assignment what;
        hot_team* in = nullptr;
        unsigned number = 0;
        base::os::signal_set blocked = 0;  // signals that the master blocked when it made the
                                           // member
    };
    static constexpr unsigned small = 4;  // members

    static void live(void* argument);
    static void go_home(sched::worker& home) noexcept;
    void add_personas(unsigned members) noexcept;
    void add_threads(unsigned members) noexcept;
    bool help_after_arrival(member& m, std::uint64_t gate_word) noexcept;
    static std::uint64_t gate_word(std::uint64_t region, unsigned members) noexcept
    {
        return region << 16 | members;
    }
    static unsigned gate_members(std::uint64_t word) noexcept
    {
        return static_cast<unsigned>(word & 0xffff);
    }

    unsigned capacity_;
    // number of the first own thread that carries members, modulo how many there are
    unsigned first_home_ = 0;
    unsigned personas_ = 1;    // members that have a persona, the master included
    unsigned configured_ = 0;  // team size for which the barrier is configured
    icv_set icvs_;             // of the members' implicit tasks in this region
    std::unique_ptr<member[]> storage_;
    std::unique_ptr<member_start[]> starts_;

    // The gate's note holds the function and its argument. Its word is (region number, members in
    // it), so a member that is not in a region never mistakes the next one's size for its own.
    wait_queue gate_;
    // The master waits here for the others to arrive; the word is the number of the last region
    // that has ended.
    wait_queue exit_;
    // Members that have arrived and look for tasks of others; the next region starts when there are
    // none (team/late_help.hpp).
    alignas(base::cache_line) std::atomic<unsigned> helpers_{0};
    std::atomic<unsigned> leaving_{0};
    // Both published by the gate: where the members end, if anywhere, and the region or arena whose
    // waiter cannot continue before them (sched/program_regions.hpp).
    foreign::retirement* retirement_ = nullptr;
    const void* purpose_ = nullptr;
};

// Largest team; the gate keeps the size in 16 bits.
inline constexpr unsigned largest_team = 0xffff;

}  // namespace artel::openmp
