// A team has a ring of slots. A member that is ahead by more than the ring waits a while, and then
// enters a detour: a slot of its own on the heap for the construct, which later members find by its
// number.
#include "construct.hpp"

#include "base/os/yield.hpp"
#include "doacross.hpp"
#include "fiber/call_out.hpp"
#include "loop_shares.hpp"
#include "ordered_turn.hpp"
#include "sched/crew.hpp"
#include "sched/suspend.hpp"
#include "waiting/wait_until.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

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
    base::full_fence();  // pairs with the one in make_detour
    // release: passes on what the loads above acquired. A smaller value that a slower member stores
    // over a larger one only costs another look.
    ws.all_passed.store(lowest, std::memory_order_release);
    return true;
}

// How often a member looks whether others have caught up, before it makes a detour: for some
// microseconds. Once there are detours, others are known to be far behind, and may wait for this
// member. Then it looks once, because more looks would yield the CPU, which can cost milliseconds.
// Very many detours take so much memory that it waits again.
constexpr unsigned spin_limit = base::modelled ? 2 : 64;
constexpr unsigned many_detours = base::modelled ? 2 : 1024;

bool within_spin_limit(const worksharing_state& ws, unsigned round) noexcept
{
    const unsigned detours = ws.detours.load(std::memory_order_relaxed);  // relaxed: an estimate
    return round < (detours != 0 && detours < many_detours ? 1 : spin_limit);
}

// Members that are behind may be on our worker, or need its CPU.
void let_others_run(unsigned round) noexcept
{
    const sched::worker* const here = sched::this_worker();
    if (here != nullptr && here->has_work() && sched::yield()) {
        return;
    }
    if (round + 1 < spin_limit) {
        base::cpu_relax();
    } else {
        base::os::yield();
    }
}

void free_slot(workshare_slot& slot) noexcept
{
    clear_slot(slot);
    delete slot.shares;
    delete slot.turns;
}

// Frees detours that all members have passed, as far as that is known. The caller has the lock.
void drop_passed(worksharing_state& ws) noexcept
{
    // acquire: as in all_have_passed.
    const std::uint64_t passed = ws.all_passed.load(std::memory_order_acquire);
    while (!ws.detour_of.empty() && ws.detour_of.begin()->first < passed) {
        free_slot(ws.detour_of.begin()->second);
        ws.detour_of.erase(ws.detour_of.begin());
        // relaxed: those that look for another detour look under the lock.
        ws.detours.fetch_sub(1, std::memory_order_relaxed);
    }
}

struct detour_wait {
    const workshare_slot* slot;
    std::uint64_t number;
};

// Enters the detour of construct `number`; false when there is none.
bool enter_detour(member& m, std::uint64_t number) noexcept
{
    worksharing_state& ws = m.in->worksharing;
    if (ws.detours.load(std::memory_order_relaxed) == 0) {  // relaxed: see make_detour
        return false;
    }
    detour_wait wait{nullptr, number};
    {
        const fiber::call_out_lock hold(ws.detours_lock);
        drop_passed(ws);
        const auto found = ws.detour_of.find(number);
        if (found == ws.detour_of.end()) {
            return false;
        }
        m.position.current = &found->second;
        wait.slot = m.position.current;
    }
    wait_until(
        [](void* argument) {
            const auto& w = *static_cast<detour_wait*>(argument);
            // acquire: as in meet().
            return w.slot->stage.load(std::memory_order_acquire) == 2 * w.number + 2;
        },
        &wait);
    return true;
}

// Makes a detour for construct `number`, for the caller to open. False when the construct has one,
// or may be opened in the ring after all, or when there is no memory.
//
// A construct must not be opened both in the ring and in a detour. A member that opens it in the
// ring first finds that all members have passed its predecessor there, and then looks for a detour;
// a member that makes a detour announces it, and then looks at the members. Both make a full fence
// between the two steps (the former in all_have_passed, before it stores the result), so one sees
// the other.
bool make_detour(member& m, std::uint64_t number) noexcept
{
    worksharing_state& ws = m.in->worksharing;
    const fiber::call_out_lock hold(ws.detours_lock);
    drop_passed(ws);
    ws.detours.fetch_add(1, std::memory_order_relaxed);  // relaxed: the fence orders
    base::full_fence();
    bool made = false;
    try {
        if (!all_have_passed(*m.in, number - worksharing_state::ring + 1)) {
            const auto [at, fresh] = ws.detour_of.try_emplace(number);
            made = fresh;
            if (made) {
                // relaxed: others find it under the lock.
                at->second.stage.store(2 * number + 1, std::memory_order_relaxed);
                at->second.is_detour = true;
                m.position.current = &at->second;
            }
        }
    } catch (const std::bad_alloc&) {  // the caller continues waiting
    }
    if (!made) {
        ws.detours.fetch_sub(1, std::memory_order_relaxed);  // relaxed: nobody will find it
    }
    return made;
}

}  // namespace

bool claim_slot(member& m, std::uint64_t number) noexcept
{
    workshare_slot& slot = *m.position.current;
    for (unsigned round = 0;; ++round) {
        // acquire: as in meet().
        std::uint64_t stage = slot.stage.load(std::memory_order_acquire);
        if (stage == 2 * number + 2) {
            return false;
        }
        const bool waits = stage <= 2 * number;  // the last opener was of an older construct
        const bool may_be_opened = waits &&
                                   (number < worksharing_state::ring ||
                                    all_have_passed(*m.in, number - worksharing_state::ring + 1));
        if (enter_detour(m, number)) {
            return false;
        }
        // relaxed: all_have_passed ordered the slot's former users before us; the store in meet()
        // publishes the fields.
        if (may_be_opened &&
            slot.stage.compare_exchange_strong(stage, 2 * number + 1, std::memory_order_relaxed)) {
            return true;
        }
        if (waits && !may_be_opened && !within_spin_limit(m.in->worksharing, round) &&
            make_detour(m, number)) {
            return true;
        }
        let_others_run(round);
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

namespace {

void drop_detours(worksharing_state& ws) noexcept
{
    for (auto& [number, slot] : ws.detour_of) {
        free_slot(slot);
    }
    ws.detour_of.clear();
    ws.detours.store(0, std::memory_order_relaxed);  // relaxed: no region is running
}

}  // namespace

worksharing_state::~worksharing_state()
{
    free_left_behind();
    drop_detours(*this);
    for (workshare_slot& slot : slots) {
        free_slot(slot);
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
    if (ws.detours.load(std::memory_order_relaxed) != 0) [[unlikely]] {
        drop_detours(ws);
    }
    // A cancelled loop may have ended with the last region, without a barrier of its own.
    if (ws.cancelled.load(std::memory_order_relaxed)) {
        ws.cancelled.store(false, std::memory_order_relaxed);
    }
    if (ws.combined.load(std::memory_order_relaxed) != 0) [[unlikely]] {
        ws.combined.store(0, std::memory_order_relaxed);
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
    p.reductions = 0;
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
