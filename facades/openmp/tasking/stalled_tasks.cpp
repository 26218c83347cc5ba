// The list of teams that have queued tasks, and the look at them at each tick of the monitor: a
// team whose tasks have not moved for some ticks gets one sleeper woken.
#include "stalled_tasks.hpp"

#include "base/cpu.hpp"
#include "base/spinlock.hpp"
#include "sched/crew.hpp"
#include "sched/periodic.hpp"
#include "tasks.hpp"

#include <cstdint>
#include <mutex>
#include <new>
#include <pthread.h>

namespace artel::openmp {

namespace {

// ticks of the monitor for which queued tasks are left to the members that are awake.
constexpr unsigned stalled_after = 3;

constinit base::spinlock lock;  // guards what follows
constinit team* first = nullptr;

// Whether some member's tasks have not moved for so long. What others make and run says nothing of
// them.
bool stands_still(team& t) noexcept
{
    // relaxed: as in tasks_queued.
    const unsigned n = t.tasking.members.load(std::memory_order_relaxed);
    bool still = false;
    const auto look = [&](bool empty, std::uint64_t now, task_watch& seen) {
        if (empty || now != seen.movement) {
            seen = {.movement = now, .still = 0};
        } else if (++seen.still >= stalled_after) {
            seen.still = 0;
            still = true;
        }
    };
    for (unsigned i = 0; i < n; ++i) {
        member& m = t.members[i];
        look(m.tasks.empty(), m.tasks.movement(), m.watch);
    }
    look(t.tasking.shared.empty(), 0, t.tasking.shared_watch);
    return still;
}

// Whether the team is to be looked at again.
bool look_at(team& t) noexcept
{
    if (!tasks_queued(t)) {
        // relaxed: ordered by the fence.
        t.tasking.watched.store(false, std::memory_order_relaxed);
        // pairs with the fence of those that call watch_tasks(): we see their task, or they see
        // that the team is not watched.
        base::full_fence();
        if (!tasks_queued(t)) {
            return false;
        }
        t.tasking.watched.store(true, std::memory_order_relaxed);  // relaxed: under the lock
    }
    // One that found nothing it may run could do so now.
    if (stands_still(t) && !wake_helper(t)) {
        t.tasking.waits.wake_one(task_state::wait_lists);
    }
    return true;
}

// Called by the monitor at each tick.
void look_at_tasks() noexcept
{
    const std::scoped_lock hold(lock);
    for (team** at = &first; *at != nullptr;) {
        team& t = **at;
        if (look_at(t)) {
            at = &t.tasking.next_watched;
        } else {
            *at = t.tasking.next_watched;
        }
    }
}

// The child of a fork has none of the regions that are under way. Another thread may have held the
// lock.
[[maybe_unused]] const int fork_handler = ::pthread_atfork(nullptr, nullptr, [] {
    new (&lock) base::spinlock;
    first = nullptr;
});

}  // namespace

void start_to_watch(team& t) noexcept
{
    sched::call_each_tick(look_at_tasks);
    const std::scoped_lock hold(lock);
    if (t.tasking.watched.load(std::memory_order_relaxed)) {  // relaxed: under the lock
        return;
    }
    t.tasking.next_watched = first;
    first = &t;
    // relaxed, both: under the lock; the end of the region comes after our caller's part in it.
    t.tasking.watched.store(true, std::memory_order_relaxed);
    t.tasking.was_watched.store(true, std::memory_order_relaxed);
}

void stop_to_watch(team& t) noexcept
{
    const std::scoped_lock hold(lock);
    // relaxed, both: under the lock, and nobody queues tasks of this team now.
    t.tasking.watched.store(false, std::memory_order_relaxed);
    t.tasking.was_watched.store(false, std::memory_order_relaxed);
    for (team** at = &first; *at != nullptr; at = &(*at)->tasking.next_watched) {
        if (*at == &t) {
            *at = t.tasking.next_watched;
            return;
        }
    }
}

}  // namespace artel::openmp
