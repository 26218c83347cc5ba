// The barrier of a team, in which members run tasks; cancellable ones and the end of a region too.
#include "sched/suspend.hpp"
#include "task_wait.hpp"
#include "team/task.hpp"
#include "team/team.hpp"

namespace artel::openmp {

namespace {

// In a cancelled region: whether every member has reached barrier `number` or has left.
bool all_have_come(const team& t, std::uint32_t number) noexcept
{
    for (unsigned i = 0; i < t.size; ++i) {
        if (!t.members[i].met.has_come(t.cancellable, number)) {
            return false;
        }
    }
    return true;
}

// Wakes the members that wait in a barrier of a cancelled region, to check all_have_come(). The
// word that they wait on is of no further use.
void have_them_look(team& t) noexcept
{
    t.barrier.queue().open_next();
}

// pass_barrier in a region that can be cancelled.
bool pass_unless_cancelled(member& m, bool cancellable)
{
    team& t = *m.in;
    wait_queue& queue = t.barrier.queue();
    const std::uint64_t phase = t.barrier.phase();
    const std::uint32_t number = m.met.come(t.cancellable);
    base::full_fence();  // pairs with the one in cancel_region (attendance.hpp)
    // acquire, here and below: pairs with the release in cancel_region.
    if (t.cancelled.load(std::memory_order_acquire)) {
        have_them_look(t);
    } else if (t.barrier.arrive(m.number)) {
        // All have arrived, so a member that cancels now has passed this barrier.
        t.worksharing.barrier_reached();
        t.barrier.release();
        sched::give_way();
        return false;
    }
    for (;;) {
        const std::uint64_t word = queue.word();
        if (t.cancelled.load(std::memory_order_acquire)) {
            if (cancellable) {
                return true;
            }
            if (all_have_come(t, number)) {
                break;
            }
        } else if (word != phase) {
            break;
        }
        // relaxed: a hint, read again.
        if (t.tasking.used.load(std::memory_order_relaxed) && help_with_tasks(m)) {
            continue;
        }
        if (has_unclaimed(t) || !queue.spin(word, member_spin(), tasks_reason(t))) {
            queue.sleep_at_home(queue.lists(), word, tasks_reason(t));
        }
    }
    sched::give_way();
    return false;
}

// Waits for the other members. True when the region was cancelled meanwhile and the barrier is
// cancellable.
bool pass_barrier(member& m, bool cancellable)
{
    team& t = *m.in;
    complete_own_tasks(m);
    if (t.cancellable != 0) [[unlikely]] {
        return pass_unless_cancelled(m, cancellable);
    }
    const std::uint64_t phase = t.barrier.phase();
    if (t.barrier.arrive(m.number)) {
        t.worksharing.barrier_reached();
        t.barrier.release();
        sched::give_way();
        return false;
    }
    wait_queue& queue = t.barrier.queue();
    while (!queue.opened(phase)) {
        // relaxed: a hint, read again.
        const bool tasks = t.tasking.used.load(std::memory_order_relaxed);
        if (tasks && help_with_tasks(m)) {
            continue;
        }
        if (has_unclaimed(t) || !queue.spin(phase, member_spin(), tasks_reason(t))) {
            queue.sleep_at_home(queue.lists(), phase, tasks_reason(t));
        }
    }
    sched::give_way();
    return false;
}

// The barrier of a team of one.
void pass_alone(member& m)
{
    complete_own_tasks(m);
    m.in->worksharing.barrier_reached();
}

}  // namespace

void barrier(member& m)
{
    if (m.in->size == 1) {
        pass_alone(m);
    } else {
        pass_barrier(m, false);
    }
}

bool barrier_cancel(member& m)
{
    team& t = *m.in;
    // acquire (both): pairs with the release of the cancelling member.
    if (t.cancelled.load(std::memory_order_acquire)) {
        return true;
    }
    if (t.size == 1) {
        pass_alone(m);
    } else if (pass_barrier(m, true)) {
        return true;
    }
    return t.cancelled.load(std::memory_order_acquire);
}

void end_part(member& m)
{
    team& t = *m.in;
    complete_own_tasks(m);
    // acquire: pairs with the release in cancel_region. A member that does not see the cancellation
    // has passed all barriers of the region.
    if (t.cancelled.load(std::memory_order_acquire)) [[unlikely]] {
        m.met.leave(t.cancellable);
        have_them_look(t);
    }
}

void cancel_region(team& t) noexcept
{
    t.cancelled.store(true, std::memory_order_release);  // release: pairs with barrier_cancel
    base::full_fence();  // pairs with the one in pass_unless_cancelled (attendance.hpp)
    have_them_look(t);
}

}  // namespace artel::openmp
