#include "loop.hpp"

#include "construct.hpp"
#include "fiber/call_out.hpp"
#include "linking/messages.hpp"
#include "loop_batches.hpp"
#include "loop_shares.hpp"
#include "ordered_turn.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace artel::openmp {

namespace {

// Index space to the program's values. The last piece ends at the loop's own end: first + count *
// increment may overflow.
void translate(const loop_bounds& loop, piece at, std::uint64_t& first, std::uint64_t& end) noexcept
{
    first = loop.first + at.low * loop.increment;
    end = at.high >= loop.count ? loop.end : loop.first + at.high * loop.increment;
}

bool take_even(const workshare_slot& slot, unsigned size, const member& m, piece& taken) noexcept
{
    if (m.position.trip != 0) {
        return false;
    }
    // The same split as the code that compilers generate in line for schedule(static), which the
    // standard demands.
    const std::uint64_t share = slot.loop.count / size;
    const std::uint64_t rest = slot.loop.count % size;
    taken.low = m.number < rest ? m.number * (share + 1) : m.number * share + rest;
    taken.high = taken.low + share + (m.number < rest ? 1 : 0);
    return taken.low < taken.high;
}

bool take_round_robin(const workshare_slot& slot, unsigned size, const member& m,
                      piece& taken) noexcept
{
    const std::uint64_t chunk = m.position.trip * size + m.number;
    if (chunk >= slot.chunks) {
        return false;
    }
    taken.low = chunk * slot.chunk;
    taken.high = slot.loop.count - taken.low > slot.chunk ? taken.low + slot.chunk
                                                          : slot.loop.count;
    return true;
}

// Who has had the loop's last piece need not ask for another.
void note_last(worksharing_position& p, piece taken) noexcept
{
    if (taken.high == p.loop.count) {
        p.kind = loop_kind::exhausted;
    }
}

bool take_dynamic(worksharing_position& p, piece& taken) noexcept
{
    // relaxed: see the head of loop.hpp.
    taken.low = p.current->next.fetch_add(p.chunk, std::memory_order_relaxed);
    taken.high = std::min(taken.low + p.chunk, p.loop.count);
    note_last(p, taken);
    return taken.low < p.loop.count;
}

// Iterations of the next piece of a guided loop, where `left` are left: a multiple of the chunk,
// which is a number of vector lanes in some loops.
std::uint64_t guided_size(std::uint64_t left, std::uint64_t chunk, unsigned size) noexcept
{
    const std::uint64_t share = (left - 1) / size;
    if (chunk == 1) {  // a division is the dearest step here
        return share + 1;
    }
    const std::uint64_t rounded = share - share % chunk + chunk;
    return rounded > share ? rounded : left;
}

// The first piece, which whoever opens a loop and takes a piece at once has; an empty one where it
// is taken like the others.
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

// Piece i has chunk - i * chunks iterations: the trapezoid self-scheduling of Tzen and Ni.
bool take_trapezoidal(workshare_slot& slot, piece& taken) noexcept
{
    // relaxed: see the head of loop.hpp.
    const std::uint64_t i = slot.next.fetch_add(1, std::memory_order_relaxed);
    // Beyond the last piece sizes would fall below zero.
    const std::uint64_t pieces = slot.chunks == 0 ? UINT64_MAX : slot.chunk / slot.chunks + 1;
    if (i >= pieces || i >= slot.loop.count) {
        return false;
    }
    taken.low = i * slot.chunk - slot.chunks * (i * (i - 1) / 2);
    if (taken.low >= slot.loop.count) {
        return false;
    }
    taken.high = std::min(taken.low + slot.chunk - i * slot.chunks, slot.loop.count);
    return true;
}

// The first piece is half of an even share, the last has `least` iterations.
void set_trapezoidal(workshare_slot& slot, std::uint64_t least, unsigned size) noexcept
{
    const std::uint64_t count = slot.loop.count;
    const std::uint64_t first = std::max(count / (2 * std::uint64_t{size}), least);
    const std::uint64_t pieces = count == 0 ? 1 : (2 * count - 1) / (first + least) + 1;
    slot.kind = loop_kind::trapezoidal;
    slot.chunk = first;
    slot.chunks = pieces > 1 ? (first - least) / (pieces - 1) : 0;
}

bool set_shares(workshare_slot& slot, std::uint64_t chunk, unsigned size) noexcept
{
    if (slot.shares == nullptr) {
        const fiber::call_out guard;
        slot.shares = new (std::nothrow) loop_shares;
    }
    slot.kind = loop_kind::shared;
    return slot.shares != nullptr && slot.shares->deal(slot.loop.count, chunk, size);
}

bool take_shared(member& m, workshare_slot& slot, piece& taken) noexcept
{
    batching& b = m.position.batches;
    if (b.ended) {
        return false;
    }
    if (slot.shares->take(m.number, taken)) {
        return true;
    }
    taken = slot.shares->last();
    return claim_last(slot, b) && taken.low < taken.high;
}

// size_of(left) is the size of the next piece where `left` iterations are left.
template <typename Size>
bool take_by_exchange(worksharing_position& p, piece& taken, Size size_of) noexcept
{
    std::atomic<std::uint64_t>& next = p.current->next;
    base::prefetch_for_writing(&next);
    // relaxed, all: see the head of loop.hpp.
    std::uint64_t low = next.load(std::memory_order_relaxed);
    do {
        const std::uint64_t left = p.loop.count - low;
        if (left == 0) {
            return false;
        }
        taken = {low, low + std::min(left, size_of(left))};
    } while (!next.compare_exchange_weak(low, taken.high, std::memory_order_relaxed));
    note_last(p, taken);
    return true;
}

bool take(member& m, workshare_slot& slot, piece& taken) noexcept
{
    const unsigned size = m.in->size;
    bool found = false;
    worksharing_position& p = m.position;
    switch (p.kind) {
    case loop_kind::dynamic: return take_dynamic(p, taken);
    case loop_kind::dynamic_careful:
        return take_by_exchange(p, taken, [&](std::uint64_t) { return p.chunk; });
    case loop_kind::guided:
        return take_by_exchange(
            p, taken, [&](std::uint64_t left) { return guided_size(left, p.chunk, size); });
    case loop_kind::exhausted: return false;
    case loop_kind::dynamic_batched:
    case loop_kind::guided_batched: return take_batched(m, slot, taken);
    case loop_kind::trapezoidal: return take_trapezoidal(slot, taken);
    case loop_kind::shared: return take_shared(m, slot, taken);
    case loop_kind::static_even: found = take_even(slot, size, m, taken); break;
    case loop_kind::static_chunked: found = take_round_robin(slot, size, m, taken); break;
    }
    ++m.position.trip;
    return found;
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

}  // namespace

std::uint64_t iteration_count(std::uint64_t first, std::uint64_t end, std::uint64_t increment,
                              bool up, bool is_signed) noexcept
{
    // Flipping the sign bit turns the signed order into the unsigned one.
    const std::uint64_t flip = is_signed ? std::uint64_t{1} << 63 : 0;
    const bool runs = up ? (first ^ flip)<(end ^ flip) : (first ^ flip)>(end ^ flip);
    if (!runs) {
        return 0;
    }
    const std::uint64_t distance = up ? end - first : first - end;
    const std::uint64_t step = up ? increment : 0 - increment;
    return step == 1 ? distance : (distance - 1) / step + 1;
}

loop_schedule runtime_schedule(const member& m, bool monotonic) noexcept
{
    const icv_set& icvs = m.current->icvs;
    const auto chunk = icvs.run_chunk > 0 ? static_cast<std::uint64_t>(icvs.run_chunk) : 0;
    switch (icvs.run_schedule) {
    case schedule_kind::automatic: return {schedule_kind::static_, 0};
    default: return {icvs.run_schedule, chunk, !monotonic && !icvs.run_monotonic};
    }
}

void set_loop(workshare_slot& slot, const loop_bounds& loop, loop_schedule schedule, bool ordered,
              unsigned size) noexcept
{
    slot.loop = loop;
    slot.ordered = ordered;
    slot.chunk = std::max<std::uint64_t>(schedule.chunk, 1);
    // relaxed: published with the slot.
    slot.next.store(0, std::memory_order_relaxed);
    slot.turn.store(0, std::memory_order_relaxed);
    switch (schedule.kind) {
    case schedule_kind::guided:
        if (!schedule.any_order || ordered || !set_batched(slot, loop_kind::guided_batched, size)) {
            slot.kind = loop_kind::guided;
        }
        break;
    case schedule_kind::trapezoidal:
        if (loop.count < UINT64_MAX / 4) {
            set_trapezoidal(slot, slot.chunk, size);
        } else {
            slot.kind = loop_kind::guided;
        }
        break;
    case schedule_kind::shared:
        // Members who wait for their turns need pieces in order.
        if (!ordered && set_shares(slot, schedule.chunk, size)) {
            break;
        }
        [[fallthrough]];
    case schedule_kind::dynamic: {
        if (schedule.any_order && !ordered && set_batched(slot, loop_kind::dynamic_batched, size)) {
            break;
        }
        slot.chunk = std::min(slot.chunk, std::max<std::uint64_t>(loop.count, 1));
        // Every member adds one chunk too many, once; the factor is for callers that ask again
        // after the end.
        std::uint64_t overshoot = 0;
        const bool wraps = __builtin_mul_overflow(slot.chunk, std::uint64_t{size} * 4,
                                                  &overshoot) ||
                           loop.count > UINT64_MAX - overshoot;
        slot.kind = wraps ? loop_kind::dynamic_careful : loop_kind::dynamic;
        break;
    }
    default:
        slot.kind = schedule.chunk == 0 ? loop_kind::static_even : loop_kind::static_chunked;
        slot.chunks = loop.count == 0 ? 0 : (loop.count - 1) / slot.chunk + 1;
        break;
    }
}

namespace {

// complete(slot), by who opens the loop.
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

void preopen_loop(team& t, const loop_bounds& loop, loop_schedule schedule, bool ordered) noexcept
{
    worksharing_state& ws = t.worksharing;
    workshare_slot& slot = ws.slots[ws.first % worksharing_state::ring];
    clear_slot(slot);
    set_loop(slot, loop, schedule, ordered, t.size);
    // relaxed: the start of the members publishes everything.
    slot.stage.store(2 * ws.first + 2, std::memory_order_relaxed);
    ws.preopened = true;
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
        pass_turn(*slot, p.at_hand.high);
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
        await_turn(*p.current, p.at_hand.low);
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

void preopen_sections(team& t, unsigned count) noexcept
{
    preopen_loop(t, {0, count, 1, count}, {schedule_kind::dynamic, 1}, false);
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
