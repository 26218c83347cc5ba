// A free server is in the list only once it has been switched away from, so whoever takes it finds
// its context saved.
#include "servers.hpp"

#include "base/os/yield.hpp"
#include "control.hpp"
#include "fiber/signals.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/persona_pool.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/periodic.hpp"
#include "sched/suspend.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <utility>

namespace artel::onetbb::servers {
namespace {

// The state of a server, on the persona's stack.
struct server {
    fiber::fiber* persona = nullptr;
    job now{};
    bool from_run = false;
    bool ends = false;
    foreign::retirement* retires_to = nullptr;
    server* below = nullptr;  // in the list
};

// The first job of a persona; freed by it.
struct order {
    job first;
    base::os::signal_set blocked;  // by its maker
    foreign::assignment assignment;
};

foreign::fork_safe_lock idle_lock;
// Guarded by the lock.
server* idle = nullptr;
unsigned idle_count = 0;
unsigned least = 0;         // the minimum of idle_count since the last check
unsigned least_before = 0;  // and between the two checks before
// The number of servers. acquire and release: publish a server's end to threads that wait for it.
std::atomic<unsigned> count{0};

// Runs on the next fiber's stack: from here on others may take the server.
void switched_away(fiber::carrier&, fiber::fiber& persona, void* argument)
{
    server& s = *static_cast<server*>(argument);
    const job done = s.now;
    const bool from_run = s.from_run;
    {
        const std::scoped_lock hold(idle_lock);
        s.persona = &persona;
        s.below = idle;
        idle = &s;
        ++idle_count;
    }
    done.end(done.argument, from_run);
}

void live(void* argument)
{
    server self;
    order* const o = static_cast<order*>(argument);
    self.now = o->first;
    if (!foreign::members_are_threads()) {  // those have the mask of the thread that made them
        fiber::begin_with_mask(*sched::this_worker(), o->blocked);
    }
    delete o;
    for (;;) {
        self.from_run = self.now.run(self.now.argument);
        if (foreign::members_are_threads() || !sched::suspend(switched_away, &self)) {
            self.now.end(self.now.argument, self.from_run);
            break;
        }
        if (self.ends) {
            break;
        }
    }
    if (self.retires_to != nullptr) {
        self.retires_to->enrol_this_persona();
    }
    count.fetch_sub(1, std::memory_order_release);  // release: see the declaration
}

// A second_hook (sched/periodic.hpp).
void end_surplus(unsigned second) noexcept
{
    if (second % 2 != 0) {
        return;
    }
    server* surplus = nullptr;
    {
        const std::scoped_lock hold(idle_lock);
        const unsigned keep = sched::crew::get().width();
        const unsigned unused = std::min(least, least_before);
        least_before = least;
        unsigned end = unused > keep ? unused - keep : 0;
        for (; end != 0 && idle != nullptr; --end, --idle_count) {
            server* const s = std::exchange(idle, idle->below);
            s->below = surplus;
            surplus = s;
        }
        least = idle_count;
    }
    while (surplus != nullptr) {
        server* const s = std::exchange(surplus, surplus->below);
        s->ends = true;
        sched::make_ready(*s->persona);
    }
}

}  // namespace

fiber::fiber* take(const job& j) noexcept
{
    if (sched::this_worker() == nullptr) {
        return nullptr;
    }
    {
        const std::scoped_lock hold(idle_lock);
        if (idle != nullptr) {
            server* const s = std::exchange(idle, idle->below);
            least = std::min(least, --idle_count);
            s->now = j;
            s->persona->works_for = j.works_for;
            return s->persona;
        }
    }
    auto* const o = new (std::nothrow) order{j, fiber::blocked_by(*sched::this_worker()), {}};
    if (o == nullptr) {
        return nullptr;
    }
    o->assignment = {live, o, j.works_for};
    int error = 0;
    fiber::fiber* const persona = foreign::acquire_persona(o->assignment, stack_size(), error);
    if (persona == nullptr) {
        delete o;
        return nullptr;
    }
    // relaxed: a thread that ends servers has found them idle
    count.fetch_add(1, std::memory_order_relaxed);
    sched::call_each_second(end_surplus);
    return persona;
}

void start(fiber::fiber& persona) noexcept
{
    if (foreign::members_are_threads()) {
        foreign::start_thread_persona(persona);
    } else {
        sched::make_ready(persona);
    }
}

void end_idle() noexcept
{
    foreign::retirement away;
    // acquire: pairs with live().
    while (count.load(std::memory_order_acquire) != 0) {
        // Again and again: a server that counts as no worker may only now be done with its job.
        server* all = nullptr;
        {
            const std::scoped_lock hold(idle_lock);
            all = std::exchange(idle, nullptr);
            idle_count = least = least_before = 0;
        }
        while (all != nullptr) {
            server* const s = std::exchange(all, all->below);
            s->ends = true;
            s->retires_to = &away;
            sched::make_ready(*s->persona);
        }
        if (!sched::yield()) {
            base::os::yield();
        }
    }
    away.finish();
}

void forget_after_fork() noexcept
{
    idle = nullptr;
    idle_count = least = least_before = 0;
    count.store(0, std::memory_order_relaxed);  // relaxed: nobody else is here
}

}  // namespace artel::onetbb::servers
