// The length of a row is kept per worker. Any switch that is not the next step of the row ends it,
// which the worker's count of switches shows.
#include "sched/locked_out.hpp"
#include "sched/crew_table.hpp"
#include "sched/suspend.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace artel::sched {
namespace {

// The row of one worker. Touched by its OS thread only.
struct locked_out_row {
    unsigned length = 0;
    unsigned sleeps = 0;
    std::uint64_t next_at = 0;  // worker::switches when the next light thread of the row runs
};
constinit std::array<locked_out_row, max_workers> rows;  // untouched pages cost nothing

}  // namespace

void begin_row() noexcept
{
    const worker& w = *this_worker();
    // relaxed: our own count.
    rows[w.index] = {.next_at = w.switches.load(std::memory_order_relaxed)};
}

bool yield_while_locked_out(bool far) noexcept
{
    worker& w = *this_worker();
    locked_out_row& row = rows[w.index];
    // relaxed: our own count.
    if (w.switches.load(std::memory_order_relaxed) != row.next_at) {
        begin_row();
    }
    if (row.length > w.ready.size()) {
        row.length = 0;
        return false;
    }
    ++row.length;
    ++row.next_at;
    const bool others = far ? yield_to_anybody() : yield();
    if (!others) {  // still the same worker
        --row.next_at;
        row.length = 0;
    }
    return others;
}

unsigned row_sleeps() noexcept
{
    return rows[this_worker()->index].sleeps++;
}

}  // namespace artel::sched
