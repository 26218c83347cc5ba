// One function for each schedule, and the choice among them (take).
#include "loop_piece.hpp"

#include "loop_batches.hpp"
#include "loop_shares.hpp"

#include <algorithm>

namespace artel::openmp {

namespace {

bool take_even(const workshare_slot& slot, unsigned size, const member& m, piece& taken) noexcept
{
    if (m.position.trip != 0) {
        return false;
    }
    // The same split as in the code that compilers generate for schedule(static), as the standard
    // demands.
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

bool take_dynamic(worksharing_position& p, piece& taken) noexcept
{
    // relaxed: see the head of loop.hpp.
    taken.low = p.current->next.fetch_add(p.chunk, std::memory_order_relaxed);
    taken.high = std::min(taken.low + p.chunk, p.loop.count);
    note_last(p, taken);
    return taken.low < p.loop.count;
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

// size_of(left) is the size of the next piece when `left` iterations are left.
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

}  // namespace

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

}  // namespace artel::openmp
