// How an arena asks the crew for a worker: it pushes a ticket, and the worker that takes it resumes
// a persona.
#include "arena.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/periodic.hpp"
#include "sched/program_regions.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"
#include "servers.hpp"

#include <utility>

namespace artel::onetbb {

bool arena::queue_ticket(bool promised) noexcept
{
    if (promised) {
        sched::crew::get().start_monitor();
    }
    tickets_.fetch_add(1, std::memory_order_relaxed);  // relaxed: a hint
    sched::worker* const w = sched::this_worker();
    ticket_.counted = promised && w != nullptr && !sched::outside_scope(*w);
    if (w != nullptr && !sched::outside_scope(*w)) {
        if (promised) {
            w->count_concurrent(1);
        }
        sched::push(*w, ticket_);
    } else if (!sched::post_to_own_worker(sched::crew::get(), ticket_)) {
        tickets_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a hint
        no_worker_comes();
        return false;
    }
    return true;
}

// The requested worker cannot come: the system gives no more threads. Threads that wait here run
// the tasks; a worker is requested again later.
void arena::no_worker_comes() noexcept
{
    sched::call_each_second([](unsigned) noexcept { limit_changed(); });
    // seq_cst, all: see work_added.
    ticket_out_.store(false, std::memory_order_seq_cst);
    count_worker_out();
    workers_.fetch_sub(1, std::memory_order_seq_cst);
    base::fence_after_change();
    if (visible_to_all() && !wake_sleeper(0)) {
        wake_limited();
    }
    if (!enqueued.empty()) {
        wake_for_enqueued();
    }
    drop();
}

// Runs on a worker's scheduling loop.
void arena::take_ticket(void* here, base::work& ticket)
{
    auto& taken = static_cast<ticket_work&>(ticket);
    arena& a = *taken.of;
    sched::worker& w = *static_cast<sched::worker*>(here);
    if (std::exchange(taken.counted, false)) {
        w.count_concurrent(-1);
    }
    // Tasks are the program's code.
    if (sched::send_to_others(w, ticket, &a)) {
        return;
    }
    tickets_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a hint
    fiber::fiber* const persona = servers::take({serve, served, &a, &a});
    if (persona == nullptr) {
        a.no_worker_comes();
        return;
    }
    // seq_cst, both: see work_added. From here on the persona is the searcher.
    a.searchers_.fetch_add(1, std::memory_order_seq_cst);
    a.ticket_out_.store(false, std::memory_order_seq_cst);
    if (foreign::members_are_threads()) {
        foreign::start_thread_persona(*persona);
    } else {
        sched::run_now(w, *persona);
    }
}

}  // namespace artel::onetbb
