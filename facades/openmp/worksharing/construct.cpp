#include "construct.hpp"

#include "doacross.hpp"
#include "loop_shares.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"
#include "waiting/wait_until.hpp"

#include <algorithm>
#include <cstdlib>

namespace artel::openmp {

namespace {

// Whether all members have passed `wanted` constructs, or have left a region that may be cancelled.
// The answer is cached: in a team that keeps together, one look at all members serves for the next
// `ring` constructs. A member that has left passes no more constructs of this region, and the next
// region's numbers begin after all that any member has met (begin_region).
bool all_have_passed(team& t, std::uint64_t wanted) noexcept
{
    worksharing_state& ws = t.worksharing;
    // acquire: pairs with the release below, whose member had acquired what each member passed.
    if (ws.all_passed.load(std::memory_order_acquire) >= wanted) {
        return true;
    }
    std::uint64_t lowest = UINT64_MAX;
    for (unsigned i = 0; i < t.size; ++i) {
        // acquire: pairs with leave().
        const std::uint64_t passed = t.members[i].position.passed.load(std::memory_order_acquire);
        if (passed >= wanted) {
            lowest = std::min(lowest, passed);
        } else if (t.cancellable == 0 || !t.members[i].met.has_left(t.cancellable)) {
            return false;
        }
    }
    // release: passes on what the loads above acquired. A smaller value that a slower member stores
    // over a larger one only costs another look.
    ws.all_passed.store(lowest, std::memory_order_release);
    return true;
}

struct wait_for_slot {
    team* in;
    const workshare_slot* slot;
    std::uint64_t number;
};

bool slot_can_be_used(void* argument)
{
    const auto& wait = *static_cast<wait_for_slot*>(argument);
    // acquire: as in meet().
    const std::uint64_t stage = wait.slot->stage.load(std::memory_order_acquire);
    if (stage > 2 * wait.number) {
        return stage == 2 * wait.number + 2;
    }
    return wait.number < worksharing_state::ring ||
           all_have_passed(*wait.in, wait.number - worksharing_state::ring + 1);
}

}  // namespace

bool claim_slot(member& m, workshare_slot& slot, std::uint64_t number) noexcept
{
    wait_for_slot wait{m.in, &slot, number};
    for (;;) {
        // Members that are behind may be on our worker: run them at once.
        while (!slot_can_be_used(&wait) && sched::this_worker() != nullptr &&
               sched::this_worker()->has_work() && sched::yield()) {
        }
        wait_until(slot_can_be_used, &wait);
        // acquire: as in meet().
        std::uint64_t stage = slot.stage.load(std::memory_order_acquire);
        if (stage == 2 * number + 2) {
            return false;
        }
        // relaxed: all_have_passed ordered the slot's former users before us; the store in meet()
        // publishes the fields.
        if (stage <= 2 * number &&
            slot.stage.compare_exchange_strong(stage, 2 * number + 1, std::memory_order_relaxed)) {
            return true;
        }
    }
}

void clear_slot(workshare_slot& slot) noexcept
{
    if (slot.memory != nullptr) {
        std::free(slot.memory);
        slot.memory = nullptr;
    }
    if (slot.cross != nullptr) {
        destroy_doacross(slot.cross);
        slot.cross = nullptr;
    }
}

void worksharing_state::free_left_behind() noexcept
{
    for (void* const block : left_behind) {
        std::free(block);
    }
    left_behind.clear();
}

worksharing_state::~worksharing_state()
{
    free_left_behind();
    for (workshare_slot& slot : slots) {
        clear_slot(slot);
        delete slot.shares;
    }
}

void begin_region(team& t) noexcept
{
    worksharing_state& ws = t.worksharing;
    std::uint64_t first = t.members[0].position.met;
    // relaxed, here and below: all members of the last region have ended it; those of the next
    // start after this.
    if (ws.ragged.load(std::memory_order_relaxed)) {
        for (unsigned i = 0; i < ws.members_seen; ++i) {
            first = std::max(first, t.members[i].position.met);
        }
        ws.ragged.store(false, std::memory_order_relaxed);
        ws.free_left_behind();
    }
    // A cancelled loop may have ended with the last region, without a barrier of its own.
    if (ws.cancelled.load(std::memory_order_relaxed)) {
        ws.cancelled.store(false, std::memory_order_relaxed);
    }
    set_if_changed(ws.first, first);
    set_if_changed(ws.first_single, ws.singles.load(std::memory_order_relaxed));
    set_if_changed(ws.preopened, false);
    set_if_changed(ws.members_seen, t.size);
}

void enter_region(member& m) noexcept
{
    const worksharing_state& ws = m.in->worksharing;
    worksharing_position& p = m.position;
    p.met = ws.first;
    p.singles = ws.first_single;
    p.current = nullptr;
    // release: as in leave(). A member that missed some regions delays the reuse of slots until it
    // is here.
    p.passed.store(ws.first, std::memory_order_release);
    if (ws.preopened) {
        const workshare_slot& slot = ws.slots[ws.first % worksharing_state::ring];
        p.met = ws.first + 1;
        p.trip = 0;
        p.holds_piece = false;
        if (m.in->size > 1) {
            p.current = const_cast<workshare_slot*>(&slot);
            enter_loop(p);
        } else {
            p.solo_first = slot.loop.first;
            p.solo_end = slot.loop.end;
            p.solo_pending = slot.loop.count > 0;
        }
    }
}

}  // namespace artel::openmp
