// Sizes that depend on the machine: how many groups a barrier of so many members has, room for
// members, and how long members spin.
#include "team.hpp"

#include "sched/crew.hpp"

#include <algorithm>
#include <atomic>

namespace artel::openmp {

unsigned team::groups_of(unsigned size) noexcept
{
    return std::min({sched::crew::get().width(), size, 64u});
}

void team::reserve(unsigned most)
{
    barrier.configure(most, groups_of(most));
    ending.configure(most, groups_of(most));
}

namespace {

// relaxed, all accesses: every thread that computes it gets the same number. No guarded static: a
// fork could leave its guard locked.
constinit std::atomic<std::uint64_t> known_spin{~std::uint64_t{0}};

// Cycles for a requested time. For ever means about a second; with more workers than CPUs the
// default is the limit.
std::uint64_t spin_of(std::uint64_t microseconds) noexcept
{
    const sched::crew& c = sched::crew::get();
    constexpr std::uint64_t longest = std::uint64_t{1} << 31;
    const std::uint64_t each = base::cycles_per_microsecond();
    const std::uint64_t cycles = microseconds < longest / each ? microseconds * each : longest;
    return c.oversubscribed() ? std::min(cycles, c.spin_cycles()) : cycles;
}

}  // namespace

std::uint64_t member_spin() noexcept
{
    // relaxed, both: see known_spin.
    if (const std::uint64_t cycles = known_spin.load(std::memory_order_relaxed);
        cycles != ~std::uint64_t{0}) {
        return cycles;
    }
    const std::uint64_t cycles = [] {
        const global_icvs& g = globals();
        if (g.spin_limit) {
            return spin_of(*g.spin_limit);
        }
        if (g.wait_passive) {
            return std::uint64_t{0};
        }
        return g.wait_active ? spin_of(UINT64_MAX) : sched::crew::get().spin_cycles();
    }();
    known_spin.store(cycles, std::memory_order_relaxed);  // relaxed: as above
    return cycles;
}

void set_member_spin(std::uint64_t microseconds) noexcept
{
    known_spin.store(spin_of(microseconds), std::memory_order_relaxed);  // relaxed: see known_spin
}

}  // namespace artel::openmp
