// Waiting for a group of tasks: meanwhile the caller runs tasks of the group from its own deque,
// and deferred ones.
#include <artel/task_group.hpp>

#include "capi/group_queue.hpp"
#include "capi/group_task.hpp"
#include "sched/isolation.hpp"
#include "sched/left_tasks.hpp"
#include "sched/push.hpp"

#include <utility>

namespace artel::detail {

namespace {

// Runs deferred tasks, if the caller has a place for them.
void run_deferred(group_state& group, group_queue& queue) noexcept
{
    if (queue.width == nullptr) {
        return;
    }
    while (group_task* const next = next_for_waiter(queue)) {
        call_within(*next, queue);
        end_of_waiters(queue);
        finish(group);
    }
}

bool belongs_to(const base::work& item, const group_state& group) noexcept
{
    return item.run == run_group_task && static_cast<const group_task&>(item).group == &group;
}

// The youngest task of the group in the caller's deque, at any position.
base::work* dig_out(sched::worker& w, const group_state& group) noexcept
{
    base::work* above = nullptr;  // the oldest first
    base::work* found = nullptr;
    while ((found = w.tasks.pop()) != nullptr && !belongs_to(*found, group)) {
        found->next = above;
        above = found;
    }
    while (above != nullptr) {
        base::work* const next = above->next;
        sched::put_back(w, *above);
        above = next;
    }
    return found;
}

// `youngest` is not of the group: it goes back. An isolated caller looks beneath it, because no
// other worker may come for the group's tasks.
[[gnu::noinline]] base::work* look_beneath(sched::worker& w, base::work& youngest,
                                           const group_state& group) noexcept
{
    sched::push(w, youngest);
    return sched::isolated(w) ? dig_out(w, group) : nullptr;
}

// Runs the group's tasks that are on top of the caller's own deque; if it is isolated, at any
// position there.
void run_own(group_state& group) noexcept
{
    // acquire: pairs with finish().
    while (group.pending.load(std::memory_order_acquire) >= 2) {
        // each time: a task may have moved us to another worker.
        sched::worker& w = *sched::this_worker();
        base::work* youngest = w.tasks.pop();
        if (youngest != nullptr && !belongs_to(*youngest, group)) [[unlikely]] {
            youngest = look_beneath(w, *youngest, group);
        }
        if (youngest == nullptr) {
            return;
        }
        youngest->run(&w, *youngest);
    }
}

void wait_until_done(group_state& group) noexcept
{
    const sched::guest_scope scope;
    if (scope.is_outermost()) {
        sched::comes_to_wait();
    }
    if (scope) {
        run_own(group);
    }
    for (;;) {
        if (group.queue != nullptr) [[unlikely]] {
            run_deferred(group, *group.queue);
        }
        // acquire: pairs with finish().
        std::uint32_t left = group.pending.load(std::memory_order_acquire);
        if (left < 2) {
            break;
        }
        if (spin_while(group.pending, left)) {
            continue;
        }
        // relaxed: only announces a waiter; the word itself is compared again by wait_word.
        if ((left & 1) == 0 &&
            (!group.pending.compare_exchange_strong(left, left | 1, std::memory_order_relaxed) ||
             (group.queue != nullptr && group.queue->width != nullptr))) {
            continue;  // in a width_scope, to check the deferred tasks once more: see admit()
        }
        wait_word(group.pending, left | 1);
    }
    // Only if no other waiter has come since: a waiter of the group's next use may rely on the
    // mark. A needless mark costs a wake-up.
    std::uint32_t marked = 1;
    // relaxed: the word itself decides in wait_word.
    group.pending.compare_exchange_strong(marked, 0, std::memory_order_relaxed);
    if (scope.is_outermost()) {
        sched::run_old_task();
    }
}

}  // namespace

group_status wait_for_group(group_state& group)
{
    wait_until_done(group);
    // relaxed: ordered by `pending`.
    const bool was_cancelled = group.cancelled.load(std::memory_order_relaxed) ||
                               (group.queue != nullptr && group.queue->stop.stop_requested());
    // relaxed (three): ordered by `pending`; the exchange decides which of several waiters throws.
    group.cancelled.store(false, std::memory_order_relaxed);
    if (group.failed.load(std::memory_order_relaxed) &&
        group.failed.exchange(false, std::memory_order_relaxed)) {
        std::rethrow_exception(std::exchange(group.error, nullptr));
    }
    return was_cancelled ? group_status::cancelled : group_status::complete;
}

void settle_group(group_state& group) noexcept
{
    // acquire: pairs with finish().
    if (group.pending.load(std::memory_order_acquire) >= 2) {
        wait_until_done(group);
    }
    if (group.queue != nullptr) {
        free_group_limit(group);
    }
}

}  // namespace artel::detail
