// A member takes a batch of pieces from the common counter, announces it, and runs it piece by
// piece from its own cache line; when the counter is exhausted, members steal from each other's
// batches.
#include "loop_batches.hpp"

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "settings/icv.hpp"

#include <algorithm>
#include <bit>

namespace artel::openmp {

namespace {

// A batch that took less than this many cycles, a few transfers of the counter's line, is followed
// by a larger one. Only the order of magnitude matters: others steal from a batch that is too
// large.
constexpr std::uint64_t brief = 1000;
constexpr std::uint64_t growth = 4;
constexpr std::uint64_t most_pieces = 1 << 24;
// Least pieces of a batched loop for each member that runs at a time: with fewer, looks at the
// batches of others cost more than the contended counter (measured with 2 members: 16 pieces are
// slower in batches, 128 faster).
constexpr std::uint64_t least_pieces = 16;

// Units of the piece that a guided loop hands out at unit `at`.
std::uint64_t guided_units(const member& m, std::uint64_t at) noexcept
{
    return (m.position.batches.units - at - 1) / m.in->size + 1;
}

// The last unit is in no batch: the member that runs it must run no others after it, because
// compilers take the final values of lastprivate and linear variables from the member that ran the
// last iteration. So it goes to a member that finds nothing else left.
std::uint64_t batched_units(const batching& b) noexcept
{
    return b.units - 1;
}

bool take_last(workshare_slot& slot, batching& b, loop_batch::range& unit) noexcept
{
    unit = {batched_units(b), b.units};
    return claim_last(slot, b);
}

// How many pieces the member takes next.
std::uint64_t batch_pieces(batching& b) noexcept
{
    const std::uint64_t now = base::cycles();
    const std::uint64_t took = now - b.taken_at;
    if (b.taken_at == 0) {
        // the first batch: as many as in the last loop like this one
    } else if (took < brief) {
        b.most = b.pieces;
        b.pieces = std::min(b.pieces * growth, most_pieces);
    } else if (took > 8 * brief && b.pieces > 1) {
        b.pieces /= growth;
    }
    b.taken_at = now;
    return b.pieces;
}

// Takes the member's next units from the counter; `piece`: how many of them are the first piece.
// Empty when the counter is exhausted.
loop_batch::range take_units(workshare_slot& slot, const member& m, batching& b,
                             std::uint64_t& piece) noexcept
{
    const std::uint64_t units = batched_units(b);
    if (b.seen >= units) {
        return {};
    }
    const worksharing_position& p = m.position;
    const std::uint64_t offer = b.offers ? 0 : batch_counter::offer_of(m.number);
    std::uint64_t pieces = batch_pieces(b);
    std::uint64_t before = 0;
    std::uint64_t end = 0;
    if (pieces > 1) {
        b.batch.announce(p.met);
    }
    // At most the member's share of what is left (dynamic: of what was left at its last look).
    // acq_rel, both: release for announce(), acquire for the announcements of members that took the
    // other units; the units themselves need no order (loop.hpp).
    if (p.kind == loop_kind::dynamic_batched) {
        pieces = std::max<std::uint64_t>(std::min(pieces, (units - b.seen) / p.sharers), 1);
        before = slot.next.fetch_add(pieces + (pieces > 1 ? offer : 0), std::memory_order_acq_rel);
        end = batch_counter::units(before) + pieces;
        piece = 1;
    } else {
        // acquire: as above, when the counter is exhausted.
        before = slot.next.load(std::memory_order_acquire);
        do {
            const std::uint64_t first = batch_counter::units(before);
            end = first;
            const std::uint64_t share = (units - std::min(first, units)) / p.sharers;
            for (std::uint64_t i = 0; i < pieces && end < units && (i == 0 || end - first < share);
                 ++i) {
                end += guided_units(m, end);
            }
            if (first == end) {
                break;
            }
            piece = guided_units(m, first);
        } while (!slot.next.compare_exchange_weak(
            before, before - batch_counter::units(before) + end + (pieces > 1 ? offer : 0),
            std::memory_order_acq_rel, std::memory_order_acquire));
    }
    // guided: nothing was added when the counter was exhausted.
    b.offers = b.offers || (pieces > 1 && end != batch_counter::units(before));
    b.seen = end;
    return {batch_counter::units(before), std::min(end, units)};
}

// Calls look(batch) for each other member that may have units in its batch, until it returns true.
template <typename Look>
void look_at_others(const member& m, std::uint64_t offered, Look look) noexcept
{
    for (std::uint64_t left = offered & ~batch_counter::bit_of(m.number); left != 0;
         left &= left - 1) {
        if (look(m.in->members[std::countr_zero(left)].position.batches.batch)) {
            return;
        }
    }
}

// Steals from another member's batch; `offered`: the members that may have one. The thief sets its
// offer bit and announces its own batch before it steals, so that its victim, when it runs out of
// units, looks at the thief.
loop_batch::range steal(workshare_slot& slot, const member& m, batching& b,
                        std::uint64_t& offered) noexcept
{
    const std::uint64_t construct = m.position.met;
    loop_batch::range got;
    // acquire: pairs with the offers of batches and of thieves.
    offered = batch_counter::offers(slot.next.load(std::memory_order_acquire));
    look_at_others(m, offered, [&](loop_batch& other) {
        if (other.has_units(construct)) {
            if (!b.offers) {
                b.offers = true;
                slot.next.fetch_or(batch_counter::offer_of(m.number),
                                   std::memory_order_relaxed);  // relaxed: steal() publishes it
            }
            b.batch.announce(construct);
            got = other.steal(construct);
        }
        return !got.empty();
    });
    return got;
}

// A member that leaves clears its offer bit: in teams with more members than run at a time, some
// arrive when the loop is over, and should not look at all others.
void leave_batches(workshare_slot& slot, const member& m, batching& b) noexcept
{
    if (b.offers && m.in->size > m.position.sharers) {
        b.offers = false;
        slot.next.fetch_and(~batch_counter::offer_of(m.number),
                            std::memory_order_relaxed);  // relaxed: only a hint for late members
    }
}

// Waits while other batches are announced, the caller's being no longer announced; returns whether
// there were any, so that another look is worthwhile. A member with an announced batch waits for
// nobody, so this is short unless it has lost its CPU.
bool await_announced(const member& m, std::uint64_t offered) noexcept
{
    bool any = false;
    unsigned times = 0;
    look_at_others(m, offered, [&](const loop_batch& other) {
        while (other.is_announced(m.position.met)) {
            any = true;
            if (++times % 64 == 0) {
                base::os::yield();
            } else {
                base::cpu_relax();
            }
        }
        return false;
    });
    return any;
}

// The member's batch is empty: gets a new one and takes its first piece.
bool refill(member& m, workshare_slot& slot, loop_batch::range& first_piece) noexcept
{
    batching& b = m.position.batches;
    std::uint64_t piece = 1;
    loop_batch::range got = take_units(slot, m, b, piece);
    if (got.empty()) {
        if (b.ended) {
            return false;
        }
        std::uint64_t offered = 0;
        do {
            got = steal(slot, m, b, offered);
            if (got.empty()) {
                b.batch.begin(m.position.met);  // takes the announcement back
            }
        } while (got.empty() && await_announced(m, offered));
        if (got.empty()) {
            leave_batches(slot, m, b);
            return take_last(slot, b, first_piece);
        }
        piece = m.position.kind == loop_kind::guided_batched ? guided_units(m, got.first) : 1;
    }
    first_piece = {got.first, std::min(got.last, got.first + piece)};
    b.batch.put(m.position.met, {first_piece.last, got.last});
    return true;
}

}  // namespace

bool claim_last(workshare_slot& slot, batching& b) noexcept
{
    // relaxed, both: see the head of loop.hpp.
    if (slot.last_claimed.load(std::memory_order_relaxed) != 0 ||
        slot.last_claimed.exchange(1, std::memory_order_relaxed) != 0) {
        return false;
    }
    b.ended = true;
    return true;
}

bool take_batched(member& m, workshare_slot& slot, piece& taken) noexcept
{
    worksharing_position& p = m.position;
    batching& b = p.batches;
    loop_batch::range got;
    if (p.kind == loop_kind::guided_batched) {
        got = b.batch.claim_many([&](std::uint64_t at) { return guided_units(m, at); });
    } else if (b.batch.claim(got.first)) {
        got.last = got.first + 1;
    }
    if (got.empty() && !refill(m, slot, got)) {
        return false;
    }
    taken = {got.first * p.chunk, std::min(got.last * p.chunk, p.loop.count)};
    return true;
}

bool set_batched(workshare_slot& slot, loop_kind kind, unsigned size) noexcept
{
    const std::uint64_t chunks = slot.loop.count == 0 ? 0 : (slot.loop.count - 1) / slot.chunk + 1;
    const unsigned sharers = std::min(size, globals().width);
    // A guided loop has about as many pieces per halving of what is left as the team has members.
    const std::uint64_t pieces = kind == loop_kind::guided_batched
                                     ? static_cast<std::uint64_t>(std::bit_width(chunks / size)) *
                                           size
                                     : chunks;
    // Members may be in detours that are so far ahead of others that their words would be taken for
    // those of the others' loop (loop_batch.hpp). The last chunk's end must not overflow.
    if (slot.is_detour || size > batch_counter::most_offers || pieces < least_pieces * sharers ||
        chunks > loop_batch::most_units || slot.loop.count > UINT64_MAX - slot.chunk) {
        return false;
    }
    slot.kind = kind;
    slot.chunks = chunks;
    slot.sharers = sharers;
    return true;
}

}  // namespace artel::openmp
