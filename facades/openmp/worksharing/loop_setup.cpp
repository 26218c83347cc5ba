// Fills in the slot of a loop: the kind of its schedule and its parameters.
#include "construct.hpp"
#include "fiber/call_out.hpp"
#include "linking/messages.hpp"
#include "loop.hpp"
#include "loop_batches.hpp"
#include "loop_shares.hpp"
#include "ordered_turn.hpp"

#include <algorithm>
#include <new>

namespace artel::openmp {

namespace {

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

void begin_turns(workshare_slot& slot, unsigned size) noexcept
{
    if (slot.turns == nullptr) {
        const fiber::call_out guard;
        slot.turns = new (std::nothrow) ordered_turns;
    }
    if (slot.turns == nullptr) {
        give_up("Out of memory allocating {} bytes", sizeof(ordered_turns));
    }
    slot.turns->begin(size);
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
    slot.last_claimed.store(0, std::memory_order_relaxed);
    if (ordered) {
        begin_turns(slot, size);
    }
    switch (schedule.kind) {
    case schedule_kind::guided:
        if (!schedule.any_order || ordered || !set_batched(slot, loop_kind::guided_batched, size)) {
            slot.kind = loop_kind::guided;
        }
        break;
    case schedule_kind::trapezoidal:
        if (loop.count < UINT64_MAX / 4) {
            set_trapezoidal(slot, std::min(slot.chunk, std::max<std::uint64_t>(loop.count, 1)),
                            size);
        } else {
            slot.kind = loop_kind::guided;
        }
        break;
    case schedule_kind::shared:
        // In ordered loops, members that wait for their turn need pieces in order.
        if (!ordered && set_shares(slot, schedule.chunk, size)) {
            break;
        }
        [[fallthrough]];
    case schedule_kind::dynamic: {
        if (schedule.any_order && !ordered && set_batched(slot, loop_kind::dynamic_batched, size)) {
            break;
        }
        slot.chunk = std::min(slot.chunk, std::max<std::uint64_t>(loop.count, 1));
        // Every member adds one chunk too many, once; the factor allows for callers that ask again
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

void preopen_sections(team& t, unsigned count) noexcept
{
    preopen_loop(t, {0, count, 1, count}, {schedule_kind::dynamic, 1}, false);
}

}  // namespace artel::openmp
