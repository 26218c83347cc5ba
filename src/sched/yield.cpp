// Letting others go first: light threads that are ready on this worker, tasks that nobody has
// started, work of other workers. suspend.hpp and loop.hpp say what each kind of yield looks at.
#include "sched/crew.hpp"
#include "sched/loop.hpp"
#include "sched/push.hpp"
#include "sched/stream.hpp"
#include "sched/suspend.hpp"

namespace artel::sched {
namespace {

// nullptr: the caller is no worker, or isolated.
worker* worker_that_may_yield() noexcept
{
    worker* const here = this_worker();
    return here != nullptr && here->current->isolated == 0 ? here : nullptr;
}

// Makes a task that nobody has started ready.
void make_oldest_task_ready(worker& w) noexcept
{
    if (base::work* const oldest = w.tasks.empty() ? nullptr : w.tasks.steal(); oldest != nullptr) {
        post(w, *oldest, *oldest);
    }
}

// Steals from other workers, which looks at all of their cache lines.
void bring_from_others(worker& w) noexcept
{
    if (base::work* const found = w.own_crew.take_from_others(w); found != nullptr) {
        post(w, *found, *found);
    }
}

// Makes a task ready where no light thread is. Now and then also when one is: two may yield to each
// other until a third has run.
void make_task_ready_in_turn(worker& w) noexcept
{
    // relaxed: our own count.
    if (w.switches.load(std::memory_order_relaxed) % 8 == 0 || w.ready.empty()) {
        make_oldest_task_ready(w);
    }
}

// Steals only when nothing else is here, and seldom otherwise.
void bring_in_turn(worker& w) noexcept
{
    // relaxed: our own count.
    if ((w.ready.empty() && w.mail.empty() && w.tasks.empty()) ||
        w.switches.load(std::memory_order_relaxed) % 256 == 0) {
        bring_from_others(w);
    }
}

}  // namespace

bool yield() noexcept
{
    worker* const here = worker_that_may_yield();
    if (here == nullptr) [[unlikely]] {
        return false;
    }
    if (here->current->stream != nullptr && yield_to_pool(*here)) [[unlikely]] {
        return true;
    }
    return yield_among_ready(*here);
}

bool yield_to_tasks_too() noexcept
{
    worker* const here = worker_that_may_yield();
    if (here == nullptr) [[unlikely]] {
        return false;
    }
    make_task_ready_in_turn(*here);
    return yield();
}

bool yield_to_anybody() noexcept
{
    worker* const here = worker_that_may_yield();
    if (here == nullptr) [[unlikely]] {
        return false;
    }
    bring_in_turn(*here);
    return yield_to_tasks_too();
}

void look_around(worker& w) noexcept
{
    bring_in_turn(w);
    make_task_ready_in_turn(w);
}

void let_others_go_first() noexcept
{
    if (worker* const here = worker_that_may_yield(); here != nullptr) {
        bring_from_others(*here);
        make_oldest_task_ready(*here);
    }
}

bool yield_to_crew() noexcept
{
    worker* const here = worker_that_may_yield();
    if (here == nullptr) [[unlikely]] {
        return false;
    }
    look_around(*here);
    return yield_among_ready(*here);
}

}  // namespace artel::sched
