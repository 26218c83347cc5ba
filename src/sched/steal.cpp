// Stealing: the work that a worker without work takes from others, and items that it leaves alone
// for a moment. idle.cpp decides when.
#include "sched/crew.hpp"
#include "sched/program_regions.hpp"
#include "sched/push.hpp"

#include <algorithm>

namespace artel::sched {
namespace {

// Once in this many looks, every few milliseconds, a guest at work is not left alone: it may be
// waiting for the very task that lies below the others.
constexpr unsigned most_looks_at_owner = base::modelled ? 2 : 1000;

constexpr std::size_t largest_batch = 16;
constexpr std::size_t many_tasks = 32;  // more than a recursion usually leaves behind

}  // namespace

// A guest that starts light threads outside of every scope is not counted as busy: it may be asleep
// in a read for hours, and its light threads must run. But when its deque has changed between two
// looks of thieves it is at work on them, usually to join them in a moment. Then it counts like the
// others: its tasks are left to it when enough threads are active already, and a single task in any
// case. When the guest rests, its deque no longer changes.
bool crew_wakeup::owner_at_work(worker& victim) const noexcept
{
    // relaxed: an estimate; the guest's own write.
    if (victim.kind != role::guest || victim.taking_part.load(std::memory_order_relaxed)) {
        return false;
    }
    const std::uint64_t movement = victim.tasks.movement();
    // relaxed (two): a hint; two thieves at once only steal sooner.
    const bool moved = victim.seen_movement.load(std::memory_order_relaxed) != movement;
    if (moved) {
        victim.seen_movement.store(movement, std::memory_order_relaxed);
    }
    return moved;
}

// A ticket of a nested region is usually taken back by the master, and a small region ends before
// help arrives. If it waited for the helper it would take a microsecond instead of a fifth of one.
// So a lone item whose owner delays thieves is left alone until it has lain there for steal_delay_.
// A thief that looks again then takes it; an item is never left alone for twice that time.
bool crew_wakeup::too_young(worker& victim) const noexcept
{
    if (!victim.tasks.delays_thieves() || victim.tasks.size() != 1) {
        return false;
    }
    const std::uint64_t movement = victim.tasks.movement();
    const std::uint64_t now = base::cycles();
    // relaxed (all): hints; two thieves at once only steal sooner.
    if (victim.seen_movement.load(std::memory_order_relaxed) != movement) {
        victim.seen_movement.store(movement, std::memory_order_relaxed);
        victim.seen_since.store(now, std::memory_order_relaxed);
        return true;
    }
    return now - victim.seen_since.load(std::memory_order_relaxed) < steal_delay_;
}

// Takes what `w` may take from `victim`; nullptr when there is nothing, or another thief was
// faster. `near`: they share a cache group.
base::work* crew_wakeup::steal_from(worker& w, worker& victim, bool fibers_too, bool tasks_too,
                                    bool near) noexcept
{
    bool take_task = tasks_too && !victim.tasks.empty();
    if (tasks_too && owner_at_work(victim) && ++w.looks_at_owner % most_looks_at_owner != 0) {
        w.disturbs = true;
        // relaxed: a balance figure, in which `w` is counted.
        take_task = active() < static_cast<int>(width_) && victim.tasks.size() > 1;
    } else if (take_task && too_young(victim)) {
        w.disturbs = true;
        take_task = false;
    }
    if (take_task) {
        if (base::work* const item = victim.tasks.steal(); item != nullptr) {
            w.tasks_taken.add();
            // From another cache group a batch of half of the tasks, so that our cache group is
            // supplied for a while. The same from a neighbour with many tasks: these are likely to
            // be small, and single steals cost both sides a cache line each.
            if (const std::size_t left = victim.tasks.size(); !near || left >= many_tasks) {
                std::size_t more = std::min<std::size_t>(left / 2, largest_batch);
                bool moved = false;
                while (more-- > 0) {
                    base::work* const extra = victim.tasks.steal();
                    if (extra == nullptr) {
                        break;
                    }
                    w.tasks_taken.add();
                    if (!w.tasks.push(extra)) {
                        w.mail.post(*extra);
                    }
                    moved = true;
                }
                if (moved) {
                    // Who took its last look meanwhile may have found neither deque filled.
                    notify(&w);
                }
            }
            return item;
        }
    }
    if (!fibers_too) {
        return nullptr;
    }
    if (base::work* const item = victim.ready.empty() ? nullptr : victim.ready.steal();
        item != nullptr) {
        if (leaves_persona(w, *item) && leave_to_others(w, *item)) {
            return nullptr;
        }
        w.fibers_taken.add();
        // relaxed: see keeps_to_its_own.
        w.occupied.store(true, std::memory_order_relaxed);
        return item;
    }
    if (!victim.mail.empty() && !victim.takes_mail_soon()) {
        if (base::work* const first = victim.mail.take_all(); first != nullptr) {
            w.fibers_taken.add();
            w.occupied.store(true, std::memory_order_relaxed);  // relaxed: as above
            for (base::work* rest = first->next; rest != nullptr;) {
                base::work* const next = rest->next;
                if (!w.ready.push(rest)) {
                    w.mail.post(*rest);
                }
                rest = next;
            }
            if (!w.ready.empty()) {
                notify(&w);  // others may have missed them while they were in no queue
            }
            if (leaves_persona(w, *first) && leave_to_others(w, *first)) {
                return nullptr;  // those in the queue are passed on when they are met
            }
            return first;
        }
    }
    return nullptr;
}

base::work* crew_wakeup::steal(worker& w, bool fibers_too, bool tasks_too) noexcept
{
    const auto start = static_cast<unsigned>(w.next_random() % table_size());
    fibers_too = fibers_too && may_carry(w) && !is_beside_others(w) && !keeps_to_its_own(w);
    base::work* found = nullptr;
    std::uint64_t visits = 0;
    // Two sweeps: the own cache group first, then the others.
    for (const bool near : {true, false}) {
        const bool taken = any_worker_from(start, [&](worker& victim) {
            ++visits;
            if (&victim != &w && (victim.cache_group == w.cache_group) == near) {
                found = steal_from(w, victim, fibers_too, tasks_too, near);
            }
            return found != nullptr;
        });
        if (taken) {
            break;
        }
    }
    w.sweeps.add();
    w.visits.add(visits);
    return found;
}

bool crew_wakeup::others_have_tasks(const worker& w) const noexcept
{
    constexpr int most_looks = 8;
    int looks = 0;
    bool found = false;
    any_worker_from(w.index + 1, [&](worker& other) {
        found = &other != &w && !other.tasks.empty() && !too_young(other);
        return found || ++looks == most_looks;
    });
    return found;
}

}  // namespace artel::sched
