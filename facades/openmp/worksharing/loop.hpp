// Worksharing loops: handing out pieces of the iteration space. The ABI files translate the
// program's bounds to loop_bounds and pieces back to the program's values; for the shared slot see
// team/worksharing_state.hpp.
//
// The shared part of taking a piece is one fetch-and-add for dynamic loops, one compare-and-swap
// for guided ones, and nothing for static ones; where pieces may come in any order and are short,
// members pay it once for many pieces (loop_batch.hpp). All orders are relaxed: a piece is a number
// that no other member gets; the data that iterations exchange is ordered by the program's own
// barriers and fork and join, as the standard says.
#pragma once

#include "team/team.hpp"
#include "team/worksharing_state.hpp"

namespace artel::openmp {

// Iterations of a loop from first to end (exclusive) by increment != 0. `up`: the increment counts
// up.
std::uint64_t iteration_count(std::uint64_t first, std::uint64_t end, std::uint64_t increment,
                              bool up, bool is_signed) noexcept;

// Two words, so that it is passed in registers.
struct loop_schedule {
    constexpr loop_schedule(schedule_kind of = schedule_kind::static_, std::uint64_t of_chunk = 0,
                            bool in_any_order = false) noexcept
        : chunk(of_chunk), kind(of), any_order(in_any_order)
    {}
    std::uint64_t chunk;  // 0: not given
    schedule_kind kind;
    bool any_order;  // nonmonotonic: a member may get a piece after one with higher iterations
};

// The schedule of run-sched-var in the member's task. `monotonic`: the construct demands it.
loop_schedule runtime_schedule(const member& m, bool monotonic = true) noexcept;

// Fills in a slot for a team of `size` members. Called by the opener only.
void set_loop(workshare_slot& slot, const loop_bounds& loop, loop_schedule schedule, bool ordered,
              unsigned size) noexcept;

// Enters a loop construct. `memory_size` > 0: returns so many zeroed bytes that all members share
// until the construct ends. `more`, if given, completes the slot, for doacross loops.
using slot_completion = void (*)(workshare_slot& slot, void* argument);
void* start_loop(member& m, const loop_bounds& loop, loop_schedule schedule, bool ordered,
                 std::size_t memory_size = 0, slot_completion more = nullptr,
                 void* argument = nullptr) noexcept;

// The same, and takes the member's first piece, as next_piece() or next_ordered_piece() would. Not
// for programs that enter the loop and ask for the first piece in two calls: between these, members
// may wait for each other, so none may hold a piece that it has not asked for.
bool begin_loop(member& m, const loop_bounds& loop, loop_schedule schedule, bool ordered,
                std::uint64_t& first, std::uint64_t& end) noexcept;

// Called from team_setup: opens the loop for the whole team before its members start.
void preopen_loop(team& t, const loop_bounds& loop, loop_schedule schedule, bool ordered) noexcept;

// The member's next piece in the program's values: [first, end) by the loop's increment. False when
// nothing is left for it.
bool next_piece(member& m, std::uint64_t& first, std::uint64_t& end) noexcept;

// The same for loops that are or may be dynamic; inline, because it is called for each iteration.
inline bool next_dynamic_piece(member& m, std::uint64_t& first, std::uint64_t& end) noexcept
{
    worksharing_position& p = m.position;
    const std::uint64_t chunk = p.chunk;
    std::uint64_t low = 0;
    if (p.current != nullptr && p.kind == loop_kind::dynamic) {
        // relaxed: see the head of this file.
        low = p.current->next.fetch_add(chunk, std::memory_order_relaxed);
        if (low >= p.loop.count) {
            return false;
        }
        if (p.loop.count - low <= chunk) {
            p.kind = loop_kind::exhausted;
        }
    } else if (p.current != nullptr && p.kind == loop_kind::dynamic_batched &&
               p.batches.batch.claim(low)) [[likely]] {
        low *= chunk;
    } else {
        return next_piece(m, first, end);
    }
    const loop_bounds& loop = p.loop;
    first = loop.first + low * loop.increment;
    // The last piece ends at the loop's own end: first + count * increment may overflow.
    end = loop.count - low <= chunk ? loop.end : first + chunk * loop.increment;
    return true;
}

// The same for ordered loops: first passes on the turn of the current piece. May wait for its turn.
bool next_ordered_piece(member& m, std::uint64_t& first, std::uint64_t& end) noexcept;

// Waits until all iterations before the member's piece have left their ordered regions. May switch.
void await_turn(member& m) noexcept;

// The same for sections. next_section: the number (from 1) of the next section, 0 when none is
// left.
void start_sections(member& m, unsigned count) noexcept;
void preopen_sections(team& t, unsigned count) noexcept;
unsigned next_section(member& m) noexcept;

}  // namespace artel::openmp
