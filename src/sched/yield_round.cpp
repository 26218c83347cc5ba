// The length of a round is kept per worker. Any switch that is not the next step of the round ends
// it, which the worker's count of switches shows.
#include "sched/yield_round.hpp"
#include "sched/crew_table.hpp"
#include "sched/suspend.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::sched {
namespace {

// The round of one worker. Touched by its OS thread only.
struct yield_round {
    unsigned length = 0;
    unsigned sleeps = 0;
    std::uint64_t next_at = 0;  // worker::switches when the next light thread of the round runs
};
constinit std::array<yield_round, max_workers> rounds;  // untouched pages cost nothing

}  // namespace

void begin_yield_round() noexcept
{
    const worker& w = *this_worker();
    // relaxed: our own count.
    rounds[w.index] = {.next_at = w.switches.load(std::memory_order_relaxed)};
}

bool yield_in_round(bool far) noexcept
{
    worker& w = *this_worker();
    yield_round& round = rounds[w.index];
    // relaxed: our own count.
    if (w.switches.load(std::memory_order_relaxed) != round.next_at) {
        begin_yield_round();
    }
    if (round.length > w.ready.size()) {
        round.length = 0;
        return false;
    }
    ++round.length;
    ++round.next_at;
    const bool others = far ? yield_to_anybody() : yield();
    if (!others) {  // still the same worker
        --round.next_at;
        round.length = 0;
    }
    return others;
}

unsigned yield_round_sleeps() noexcept
{
    return rounds[this_worker()->index].sleeps++;
}

}  // namespace artel::sched
