// How waiters are suspended and woken.
#include "waiters.hpp"

#include "base/os/yield.hpp"
#include "leaving.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/suspend.hpp"

#include <pthread.h>

namespace artel::argobots {
namespace {

[[maybe_unused]] const int fork_handlers = ::pthread_atfork(
    sched::fork_exclusion::begin_fork, sched::fork_exclusion::end_fork,
    sched::fork_exclusion::end_fork_in_child);

}  // namespace

bool waiter_list::remove(waiter& w) noexcept
{
    waiter* before = nullptr;
    for (waiter* each = first; each != nullptr; before = each, each = each->next) {
        if (each == &w) {
            (before != nullptr ? before->next : first) = w.next;
            if (last == &w) {
                last = before;
            }
            return true;
        }
    }
    return false;
}

void wake(waiter& w) noexcept
{
    // As sched::make_ready(), which would call this function again.
    const sched::unit* const u = w.who->unit;
    if (u != nullptr && u->rules == &the_rules) [[likely]] {
        the_rules.make_ready(*w.who);
    } else {
        sched::make_ready(*w.who);
    }
}

void block(fiber::after_switch after, void* argument) noexcept
{
    // As sched::suspend(), which would call this function again.
    sched::worker* const w = sched::this_worker();
    if (w != nullptr && w->current->stream != nullptr && w->current->stream->rules == &the_rules &&
        the_rules.suspend(*w, after, argument)) [[likely]] {
        return;
    }
    const sched::guest_scope scope;
    while (!sched::suspend(after, argument)) {
        base::os::yield();  // there is no memory for another stack now
    }
}

}  // namespace artel::argobots
