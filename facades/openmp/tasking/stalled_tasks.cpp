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
constexpr unsigned patience = 3;

constinit base::spinlock lock;  // guards what follows
constinit team* first = nullptr;

// Changes when a task of some member was queued or taken.
std::uint64_t movement(const team& t) noexcept
{
    // relaxed: as in tasks_queued.
    const unsigned n = t.tasking.members.load(std::memory_order_relaxed);
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < n; ++i) {
        sum += t.members[i].tasks.movement();
    }
    return sum;
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
    task_watch& watch = t.tasking.watch;
    if (const std::uint64_t now = movement(t); now != watch.movement) {
        watch.movement = now;
        watch.still = 0;
    } else if (++watch.still >= patience) {
        watch.still = 0;
        // One that found nothing it may run could do so now.
        if (!wake_helper(t)) {
            t.tasking.waits.wake_one(task_state::nap_lists);
        }
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
            at = &t.tasking.watch.next;
        } else {
            *at = t.tasking.watch.next;
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
    t.tasking.watch = {.next = first, .movement = movement(t), .still = 0};
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
    for (team** at = &first; *at != nullptr; at = &(*at)->tasking.watch.next) {
        if (*at == &t) {
            *at = t.tasking.watch.next;
            return;
        }
    }
}

}  // namespace artel::openmp
