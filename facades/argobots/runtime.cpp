// ABT_init and ABT_finalize.
#include "runtime.hpp"

#include "leaving.hpp"
#include "main_scheduler.hpp"
#include "pool.hpp"
#include "print.hpp"
#include "runner.hpp"
#include "sched/crew.hpp"
#include "sched/scheduled_stream.hpp"
#include "stack.hpp"

#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>

namespace artel::argobots {

constinit std::atomic<runtime*> the_runtime{nullptr};

namespace {

base::spinlock changing;
unsigned nesting = 0;

void destroy_runtime(runtime* r) noexcept
{
    if (r->primary_thread != nullptr) {
        r->primary_thread->on = nullptr;
        destroy(*r->primary_thread);
    }
    if (r->primary != nullptr) {
        free_xstream(*r->primary);
    }
    the_runtime.store(nullptr, std::memory_order_release);  // release: see the declaration
    drop(r);
}

// The primary stream with its scheduler, and the caller as its first unit.
int make_primary(runtime& r) noexcept
{
    int error = ABT_SUCCESS;
    scheduler* const s = make_scheduler(ABT_SCHED_DEFAULT, 0, nullptr, true, error);
    if (s == nullptr) {
        return error;
    }
    r.primary = make_xstream(*s, 0, true, error);
    if (r.primary == nullptr) {
        free_scheduler(*s);
        return error;
    }
    r.primary_thread = make_thread(*s->pools[0], nullptr, nullptr, nullptr, true, false);
    if (r.primary_thread == nullptr || !start(*r.primary)) {
        return ABT_ERR_MEM;
    }
    thread& t = *r.primary_thread;
    t.primary = true;
    t.fixed.store(true, std::memory_order_relaxed);  // relaxed: see the declaration
    if (!sched::join_pinned(*r.primary, t)) {
        free_root_context(*r.primary->root);
        return ABT_ERR_SYS;
    }
    t.on = sched::this_worker()->current;
    t.caller = r.primary->root;
    t.last = r.primary;
    t.state.store(ABT_THREAD_STATE_RUNNING, std::memory_order_relaxed);  // relaxed: see state
    r.primary->turns_left = r.in_force.event_frequency;
    return ABT_SUCCESS;
}

// Streams of the parent do not run in the child of a fork, and what they had is as others left it.
// So the child begins anew, with ABT_init.
void after_fork_in_child()
{
    new (&changing) base::spinlock;
    nesting = 0;
    the_runtime.store(nullptr, std::memory_order_relaxed);  // relaxed: there is one thread
    forget_replacers_after_fork();
    forget_units_after_fork();
    forget_kept_stacks_after_fork();
    forget_stack_requests_after_fork();
}

[[maybe_unused]] const int fork_handler = ::pthread_atfork(nullptr, nullptr, after_fork_in_child);

}  // namespace

int initialize() noexcept
{
    const std::scoped_lock hold(changing);
    if (nesting != 0) {
        ++nesting;
        return ABT_SUCCESS;
    }
    auto* const r = make<runtime>();
    if (r == nullptr) {
        return ABT_ERR_MEM;
    }
    r->in_force = read_settings();
    choose_stacks(r->in_force);
    the_runtime.store(r, std::memory_order_release);  // release: see the declaration
    if (const int error = make_primary(*r); error != ABT_SUCCESS) {
        destroy_runtime(r);
        return error;
    }
    sched::crew::get().start_monitor();
    watch_for_stack_requests();
    nesting = 1;
    if (r->in_force.print_config) {
        print_config(stdout);
    }
    return ABT_SUCCESS;
}

int finalize() noexcept
{
    {
        const std::scoped_lock hold(changing);
        if (nesting == 0) {
            return ABT_ERR_UNINITIALIZED;
        }
        if (nesting > 1) {
            --nesting;
            return ABT_SUCCESS;
        }
    }
    runtime* const r = current();
    thread* const me = self_ult();
    if (me == nullptr || !me->primary) {
        return me == nullptr ? ABT_ERR_INV_XSTREAM : ABT_ERR_INV_THREAD;
    }
    if (this_xstream() != r->primary) {
        return ABT_ERR_INV_XSTREAM;
    }
    // The main scheduler runs the remaining units; when it stops, its root switches back to here.
    xstream& x = *r->primary;
    ask(x, scheduler_request::finish);
    leave(*me, false, nullptr, nullptr);
    const std::scoped_lock hold(changing);
    free_runners(x);
    sched::leave_pinned(x);
    nesting = 0;
    destroy_runtime(r);
    return ABT_SUCCESS;
}

}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_init(int, char**)
{
    return initialize();
}
int ABT_finalize(void)
{
    return finalize();
}
int ABT_initialized(void)
{
    return current() != nullptr ? ABT_SUCCESS : ABT_ERR_UNINITIALIZED;
}
}
