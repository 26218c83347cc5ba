// Opening a loop, and the calls that the ABI files make for each piece; which piece is next, by the
// schedule, is in loop_piece.cpp.
#include "loop.hpp"

#include "construct.hpp"
#include "linking/messages.hpp"
#include "loop_batches.hpp"
#include "loop_piece.hpp"
#include "ordered_turn.hpp"

#include <algorithm>
#include <cstdlib>

namespace artel::openmp {

namespace {

// Translates index space to the program's values. The last piece ends at the loop's own end: first
// + count * increment may overflow.
void translate(const loop_bounds& loop, piece at, std::uint64_t& first, std::uint64_t& end) noexcept
{
    first = loop.first + at.low * loop.increment;
    end = at.high >= loop.count ? loop.end : loop.first + at.high * loop.increment;
}

// A team of one takes its loop as a whole.
bool take_all(worksharing_position& p, std::uint64_t& first, std::uint64_t& end) noexcept
{
    if (!p.solo_pending) {
        return false;
    }
    p.solo_pending = false;
    first = p.solo_first;
    end = p.solo_end;
    return true;
}

// Takes the first piece for the member that opens a loop and wants a piece at once. Empty for
// schedules without this shortcut: the piece is then taken like all others.
piece take_first(workshare_slot& slot, unsigned size) noexcept
{
    std::uint64_t first = 0;
    switch (slot.kind) {
    case loop_kind::dynamic: first = slot.chunk; break;
    case loop_kind::guided: first = guided_size(slot.loop.count, slot.chunk, size); break;
    default: return {};
    }
    first = std::min(first, slot.loop.count);
    slot.next.store(first, std::memory_order_relaxed);  // relaxed: published with the slot
    return {0, first};
}

// Enters the loop; the opener fills in the slot and calls complete(slot).
template <typename Complete>
void* meet_loop(member& m, const loop_bounds& loop, loop_schedule schedule, bool ordered,
                std::size_t memory_size, Complete complete) noexcept
{
    worksharing_position& p = m.position;
    p.trip = 0;
    p.holds_piece = false;
    if (m.in->size == 1 && memory_size == 0) {
        p.current = nullptr;
        p.solo_first = loop.first;
        p.solo_end = loop.end;
        p.solo_pending = loop.count > 0;
        return nullptr;
    }
    meet(m, [&](workshare_slot& slot) {
        set_loop(slot, loop, schedule, ordered, m.in->size);
        complete(slot);
    });
    enter_loop(p);
    return p.current->memory;
}

}  // namespace

void* start_loop(member& m, const loop_bounds& loop, loop_schedule schedule, bool ordered,
                 std::size_t memory_size, slot_completion more, void* argument) noexcept
{
    return meet_loop(m, loop, schedule, ordered, memory_size, [&](workshare_slot& slot) {
        if (memory_size > 0) {
            slot.memory = std::calloc(1, memory_size);
            if (slot.memory == nullptr) {
                give_up("Out of memory allocating {} bytes", memory_size);
            }
        }
        if (more != nullptr) {
            more(slot, argument);
        }
    });
}

bool begin_loop(member& m, const loop_bounds& loop, loop_schedule schedule, bool ordered,
                std::uint64_t& first, std::uint64_t& end) noexcept
{
    worksharing_position& p = m.position;
    piece mine;
    meet_loop(m, loop, schedule, ordered, 0,
              [&](workshare_slot& slot) { mine = take_first(slot, m.in->size); });
    if (mine.high != 0) {
        note_last(p, mine);
        p.at_hand = mine;
        p.holds_piece = ordered;
        translate(p.loop, mine, first, end);
        return true;
    }
    return ordered ? next_ordered_piece(m, first, end) : next_piece(m, first, end);
}

bool next_piece(member& m, std::uint64_t& first, std::uint64_t& end) noexcept
{
    workshare_slot* const slot = m.position.current;
    if (slot == nullptr) {
        return take_all(m.position, first, end);
    }
    piece taken;
    if (!take(m, *slot, taken)) {
        return false;
    }
    translate(m.position.loop, taken, first, end);
    return true;
}

bool next_ordered_piece(member& m, std::uint64_t& first, std::uint64_t& end) noexcept
{
    worksharing_position& p = m.position;
    workshare_slot* const slot = p.current;
    if (slot == nullptr) {
        return take_all(p, first, end);
    }
    if (p.holds_piece) {
        await_turn(m);
        slot->turns->pass(p.at_hand.high);
    }
    p.holds_piece = take(m, *slot, p.at_hand);
    if (p.holds_piece) {
        translate(slot->loop, p.at_hand, first, end);
    }
    return p.holds_piece;
}

void await_turn(member& m) noexcept
{
    worksharing_position& p = m.position;
    if (p.current != nullptr && p.holds_piece) {
        p.current->turns->await(p.at_hand.low);
    }
}

void start_sections(member& m, unsigned count) noexcept
{
    if (m.in->size == 1) {
        m.position.current = nullptr;
        m.position.solo_first = 0;
        m.position.solo_end = count;
        return;
    }
    start_loop(m, {0, count, 1, count}, {schedule_kind::dynamic, 1}, false);
}

unsigned next_section(member& m) noexcept
{
    worksharing_position& p = m.position;
    if (p.current == nullptr) {
        return p.solo_first < p.solo_end ? static_cast<unsigned>(++p.solo_first) : 0;
    }
    piece taken;
    return take(m, *p.current, taken) ? static_cast<unsigned>(taken.low + 1) : 0;
}

}  // namespace artel::openmp
